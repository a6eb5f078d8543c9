//! Sets and maps.
//!
//! isl's functions take their arguments over or only look at them, as the headers say for each (`__isl_take`, `__isl_keep`). Those that are
//! called here take everything but for questions, which keep; what is taken is a new reference.

use crate::ctx::{Ctx, Error};
use crate::raw;
use std::ffi::{CStr, CString};
use std::fmt;

/// A type of object with its functions: those that give an object, with the types of further operands, and questions.
macro_rules! objects {
    ($($(#[$m:meta])* $name:ident: $raw:ident, $read:ident, $copy:ident, $free:ident, $show:ident {
        $($(#[$mf:meta])* $f:ident = $to:ident($($x:ident: $tx:ident),*) -> $result:ident;)*
    } asks {
        $($(#[$mq:meta])* $q:ident = $ask:ident($($y:ident: $ty:ident),*);)*
    })*) => {$(
        $(#[$m])*
        pub struct $name {
            raw: *mut raw::$raw,
            ctx: Ctx,
        }

        impl $name {
            /// Reads an object in isl's notation.
            pub fn read(ctx: &Ctx, text: &str) -> Result<Self, Error> {
                let text = CString::new(text).map_err(|_| Error::Invalid("a text with a zero byte".into()))?;
                // SAFETY: a live context and a text that ends with a zero byte, which is only looked at.
                Self::take(ctx, unsafe { raw::$read(ctx.raw(), text.as_ptr()) })
            }
            /// The context.
            pub fn ctx(&self) -> &Ctx {
                &self.ctx
            }
            fn take(ctx: &Ctx, raw: *mut raw::$raw) -> Result<Self, Error> {
                if raw.is_null() { Err(ctx.error()) } else { Ok($name { raw, ctx: ctx.clone() }) }
            }
            /// One more reference, for a function that takes it.
            fn give(&self) -> *mut raw::$raw {
                // SAFETY: a live object; null, if there is no memory, is an error of the function that takes it.
                unsafe { raw::$copy(self.raw) }
            }
            $(
                $(#[$mf])*
                pub fn $f(&self $(, $x: &$tx)*) -> Result<$result, Error> {
                    self.same([$($x.ctx()),*].as_slice())?;
                    // SAFETY: live objects of one context; the function takes what it is given.
                    $result::take(&self.ctx, unsafe { raw::$to(self.give() $(, $x.give())*) })
                }
            )*
            $(
                $(#[$mq])*
                pub fn $q(&self $(, $y: &$ty)*) -> Result<bool, Error> {
                    self.same([$($y.ctx()),*].as_slice())?;
                    // SAFETY: live objects of one context, which the function keeps.
                    match unsafe { raw::$ask(self.raw $(, $y.raw)*) } {
                        raw::isl_bool_error => Err(self.ctx.error()),
                        answer => Ok(answer == raw::isl_bool_true),
                    }
                }
            )*
            fn same(&self, others: &[&Ctx]) -> Result<(), Error> {
                let same = others.iter().all(|c| c.raw() == self.ctx.raw());
                same.then_some(()).ok_or_else(|| Error::Invalid("objects of different contexts".into()))
            }
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                $name { raw: self.give(), ctx: self.ctx.clone() }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: a reference of our own, given up once.
                unsafe { raw::$free(self.raw) };
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                // SAFETY: a live object, which is kept; the text is ours, ends with a zero byte and is freed once.
                unsafe {
                    let text = raw::$show(self.raw);
                    if text.is_null() {
                        return Err(fmt::Error);
                    }
                    let shown = f.write_str(&CStr::from_ptr(text).to_string_lossy());
                    free(text.cast());
                    shown
                }
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )*};
}

unsafe extern "C" {
    fn free(memory: *mut std::ffi::c_void);
}

objects! {
    /// Integer points of one space.
    Set: isl_set, isl_set_read_from_str, isl_set_copy, isl_set_free, isl_set_to_str {
        /// The points of both.
        intersect = isl_set_intersect(other: Set) -> Set;
        /// The points of either.
        union = isl_set_union(other: Set) -> Set;
        /// The points that are not in the other set.
        subtract = isl_set_subtract(other: Set) -> Set;
        /// What a map makes of the points.
        apply = isl_set_apply(map: Map) -> Set;
        /// The same points in fewer pieces.
        coalesce = isl_set_coalesce() -> Set;
        /// The same points of the context, said without what the context says.
        gist = isl_set_gist(context: Set) -> Set;
        /// For each value of the parameters, the first point.
        lexmin = isl_set_lexmin() -> Set;
        /// For each value of the parameters, the last point.
        lexmax = isl_set_lexmax() -> Set;
        /// From each point to those of the other set that come after it.
        before = isl_set_lex_lt_set(other: Set) -> Map;
        /// Each point to itself.
        identity = isl_set_identity() -> Map;
    } asks {
        /// Whether there is no point, for any value of the parameters.
        is_empty = isl_set_is_empty();
        /// Whether all points are in the other set.
        is_subset = isl_set_is_subset(other: Set);
        /// Whether the points are the same.
        is_equal = isl_set_is_equal(other: Set);
    }
    /// Pairs of integer points of two spaces.
    Map: isl_map, isl_map_read_from_str, isl_map_copy, isl_map_free, isl_map_to_str {
        /// The pairs of both.
        intersect = isl_map_intersect(other: Map) -> Map;
        /// The pairs of either.
        union = isl_map_union(other: Map) -> Map;
        /// The pairs that are not in the other map.
        subtract = isl_map_subtract(other: Map) -> Map;
        /// The pairs from points of a set.
        intersect_domain = isl_map_intersect_domain(set: Set) -> Map;
        /// The pairs to points of a set.
        intersect_range = isl_map_intersect_range(set: Set) -> Map;
        /// One map after the other.
        apply_range = isl_map_apply_range(then: Map) -> Map;
        /// From the other's images of the first points.
        apply_domain = isl_map_apply_domain(of: Map) -> Map;
        /// The pairs turned round.
        reverse = isl_map_reverse() -> Map;
        /// The first points.
        domain = isl_map_domain() -> Set;
        /// The second points.
        range = isl_map_range() -> Set;
        /// The distances from the first points to the second.
        deltas = isl_map_deltas() -> Set;
        /// The same pairs in fewer pieces.
        coalesce = isl_map_coalesce() -> Map;
        /// The same pairs of the context, said without what the context says.
        gist = isl_map_gist(context: Map) -> Map;
        /// For each first point, the first of the second.
        lexmin = isl_map_lexmin() -> Map;
        /// For each first point, the last of the second.
        lexmax = isl_map_lexmax() -> Map;
        /// From first points to those that the other map leads to a later place.
        before = isl_map_lex_lt_map(other: Map) -> Map;
    } asks {
        /// Whether there is no pair, for any value of the parameters.
        is_empty = isl_map_is_empty();
        /// Whether all pairs are in the other map.
        is_subset = isl_map_is_subset(other: Map);
        /// Whether the pairs are the same.
        is_equal = isl_map_is_equal(other: Map);
        /// Whether no two first points have the same second point.
        is_injective = isl_map_is_injective();
        /// Whether no first point has two second points.
        is_single_valued = isl_map_is_single_valued();
    }
    /// Integer points of any spaces.
    UnionSet: isl_union_set, isl_union_set_read_from_str, isl_union_set_copy, isl_union_set_free, isl_union_set_to_str {
        /// The points of both.
        intersect = isl_union_set_intersect(other: UnionSet) -> UnionSet;
        /// The points of either.
        union = isl_union_set_union(other: UnionSet) -> UnionSet;
        /// The points that are not in the other set.
        subtract = isl_union_set_subtract(other: UnionSet) -> UnionSet;
        /// What a map makes of the points.
        apply = isl_union_set_apply(map: UnionMap) -> UnionSet;
        /// The same points in fewer pieces.
        coalesce = isl_union_set_coalesce() -> UnionSet;
        /// The same points of the context, said without what the context says.
        gist = isl_union_set_gist(context: UnionSet) -> UnionSet;
    } asks {
        /// Whether there is no point, for any value of the parameters.
        is_empty = isl_union_set_is_empty();
        /// Whether all points are in the other set.
        is_subset = isl_union_set_is_subset(other: UnionSet);
    }
    /// Pairs of integer points of any spaces.
    UnionMap: isl_union_map, isl_union_map_read_from_str, isl_union_map_copy, isl_union_map_free, isl_union_map_to_str {
        /// The pairs of both.
        intersect = isl_union_map_intersect(other: UnionMap) -> UnionMap;
        /// The pairs of either.
        union = isl_union_map_union(other: UnionMap) -> UnionMap;
        /// The pairs that are not in the other map.
        subtract = isl_union_map_subtract(other: UnionMap) -> UnionMap;
        /// The pairs from points of a set.
        intersect_domain = isl_union_map_intersect_domain(set: UnionSet) -> UnionMap;
        /// The pairs to points of a set.
        intersect_range = isl_union_map_intersect_range(set: UnionSet) -> UnionMap;
        /// One map after the other.
        apply_range = isl_union_map_apply_range(then: UnionMap) -> UnionMap;
        /// From the other's images of the first points.
        apply_domain = isl_union_map_apply_domain(of: UnionMap) -> UnionMap;
        /// The pairs turned round.
        reverse = isl_union_map_reverse() -> UnionMap;
        /// The first points.
        domain = isl_union_map_domain() -> UnionSet;
        /// The second points.
        range = isl_union_map_range() -> UnionSet;
        /// The distances from the first points to the second.
        deltas = isl_union_map_deltas() -> UnionSet;
        /// The same pairs in fewer pieces.
        coalesce = isl_union_map_coalesce() -> UnionMap;
        /// The same pairs of the context, said without what the context says.
        gist = isl_union_map_gist(context: UnionMap) -> UnionMap;
        /// From first points to those that the other map leads to a later place.
        before = isl_union_map_lex_lt_union_map(other: UnionMap) -> UnionMap;
    } asks {
        /// Whether there is no pair, for any value of the parameters.
        is_empty = isl_union_map_is_empty();
        /// Whether all pairs are in the other map.
        is_subset = isl_union_map_is_subset(other: UnionMap);
        /// Whether no two first points have the same second point.
        is_injective = isl_union_map_is_injective();
    }
}
