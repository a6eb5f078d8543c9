//! Takes out of a sweep the control flow in which nothing happens, so that nothing is wanted for it. Cost: linear.

use crate::revprog::{Node, NodeId, RevProg};

/// A node without such parts, changed in place; whether anything happens under it.
pub fn strip(prog: &mut RevProg, n: NodeId) -> bool {
    let happens = match prog.nodes[n.index()].clone() {
        Node::Stmt(_) | Node::Replay(..) => true,
        Node::Seq(parts) => {
            let parts: Vec<NodeId> = parts.into_iter().filter(|p| strip(prog, *p)).collect();
            let any = !parts.is_empty();
            prog.nodes[n.index()] = Node::Seq(parts);
            any
        }
        _ => prog.children(n).into_iter().filter(|c| strip(prog, *c)).count() > 0,
    };
    if !happens {
        prog.nodes[n.index()] = Node::Seq(vec![]);
    }
    happens
}
