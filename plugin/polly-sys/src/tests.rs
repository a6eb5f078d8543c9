//! The layer does what it says, errors included.

use super::{Ctx, Error, Map, Set, UnionMap};

#[test]
fn sets_and_maps() {
    let ctx = Ctx::new();
    let set = |text: &str| Set::read(&ctx, text).expect("a set");
    let triangle = set("[n] -> { S[i, j] : 0 <= j < i < n }");
    let diagonal = set("[n] -> { S[i, i] }");
    assert!(triangle.intersect(&diagonal).and_then(|s| s.is_empty()).expect("an answer"));
    assert!(!triangle.is_empty().expect("an answer"));
    let rows = Map::read(&ctx, "[n] -> { S[i, j] -> A[i] }").expect("a map");
    let image = triangle.apply(&rows).expect("an image");
    assert!(image.is_equal(&set("[n] -> { A[i] : 0 < i < n }")).expect("an answer"));
    assert!(!rows.is_injective().expect("an answer"));
    let later = diagonal.before(&diagonal).expect("a map").deltas().expect("distances");
    assert!(later.is_equal(&set("[n] -> { S[i, i] : i > 0 }")).expect("an answer"), "{later}");
    let twice = set("{ S[i] : 0 <= i < 4 or 4 <= i < 9 }").coalesce().expect("a set");
    assert_eq!(twice.to_string(), "{ S[i] : 0 <= i <= 8 }");
    let both = UnionMap::read(&ctx, "{ S[i] -> A[2i]; T[i] -> A[2i + 1] }").expect("maps");
    assert!(both.is_injective().expect("an answer"));
}

#[test]
fn errors_leave_the_context_as_it_was() {
    let ctx = Ctx::new();
    assert!(matches!(Set::read(&ctx, "{ [i] : i < }"), Err(Error::Invalid(_))));
    let (a, b) = (Set::read(&ctx, "{ A[i] }").expect("a set"), Set::read(&ctx, "{ B[i] }").expect("a set"));
    assert!(matches!(a.intersect(&b), Err(Error::Invalid(_))));
    assert!(!a.is_empty().expect("an answer"));
    let other = Set::read(&Ctx::new(), "{ A[i] }").expect("a set that keeps its context");
    assert!(matches!(a.intersect(&other), Err(Error::Invalid(_))));
}

#[test]
fn work_is_limited() {
    let ctx = Ctx::new();
    let text = "{ [a, b, c, d] : exists (x, y, z : 7a + 11b = 13x and 17b + 19c = 23y and 29c + 31d = 37z) and 0 <= a, b, c, d < 1000 and a != b and c != d }";
    let hard = Set::read(&ctx, text).expect("a set");
    ctx.limit(100);
    assert_eq!(hard.lexmin().map(|_| ()), Err(Error::Limit));
    assert_eq!(hard.subtract(&hard).map(|_| ()), Err(Error::Limit));
    ctx.limit(0);
    assert_eq!(hard.lexmin().and_then(|s| s.is_empty()), Ok(false));
}
