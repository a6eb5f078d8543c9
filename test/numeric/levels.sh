#!/usr/bin/env bash
# levels.sh PLUGIN FILE: compiles one numeric program with the plugin at -O0 to -O3, runs it, and compares the
# gradients of all levels; then once with and without replays of iterations, under the address and undefined-behaviour
# sanitizers and under valgrind.
#
#   levels.sh selftest FILE     checks the program's own expectations without the plugin
#
# A line "// FLAGS: ..." in FILE adds compiler options. Environment: LEVELS (default "-O0 -O1 -O2 -O3"),
# CHECKERS (default "asan valgrind"; "none" leaves them out), CFLAGS.
set -u -o pipefail

plugin=$1 file=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
read -ra levels <<<"${LEVELS:--O0 -O1 -O2 -O3}"
read -ra checkers <<<"${CHECKERS:-asan valgrind}"
read -ra flags <<<"$(sed -n 's,^// FLAGS:,,p' "$file" | tr '\n' ' ') ${CFLAGS:-}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compiler=/usr/lib/llvm-19/bin/clang
case $file in *.cpp) compiler=/usr/lib/llvm-19/bin/clang++ flags+=(-std=c++17) ;; esac
flags+=(-g -Wall -Wextra -Wno-unused-parameter -I"$here" -I"$here/../../include")
if [ "$plugin" = selftest ]; then
  flags+=(-DSELFTEST -Wno-unused-function)
  levels=(-O1) checkers=(none)
else
  flags+=(-fpass-plugin="$plugin")
fi

failed=0
fail() {
  failed=1
  echo "FAILED $(basename "$file") $*"
}

build() { # build LABEL OUTPUT OPTION...
  local label=$1 output=$2
  shift 2
  if ! timeout 120 "$compiler" "${flags[@]}" "$@" "$file" -o "$output" -lm >"$work/log" 2>&1; then
    fail "$label: does not compile"
    head -n 20 "$work/log"
    return 1
  fi
}

run() { # run LABEL COMMAND...: must print OK last, exit 0 and write nothing to standard error
  local label=$1
  shift
  timeout 300 "$@" >"$work/out" 2>"$work/err"
  local status=$?
  if [ $status -ne 0 ] || [ "$(tail -n 1 "$work/out")" != OK ] || [ -s "$work/err" ]; then
    fail "$label: exit status $status"
    grep -v '^value' "$work/out" | head -n 20
    head -n 40 "$work/err"
    return 1
  fi
}

# The values of two levels, norm-wise per check: 1e-13 in double, 1e-5 in single precision.
same_values() {
  paste "$1" "$2" | awk '
    function close_check() { if (norm >= 0 && sqrt(difference) > tolerance * sqrt(norm)) { bad = 1; print name ": differs by " sqrt(difference / (norm ? norm : 1)) } }
    BEGIN { norm = -1 }
    $1 == "double" || $1 == "single" { close_check(); tolerance = $1 == "double" ? 1e-13 : 1e-5; name = $2; norm = difference = 0 }
    $1 == "value" && $2 != $4 { d = $4 - $2; difference += d * d }
    $1 == "value" { norm += $2 * $2 }
    END { close_check(); exit bad }'
}

# The levels give the same digits where derivatives are added up in a fixed order.
export PARDIFF_OPTIONS="fixed-order verify-each"
for level in "${levels[@]}"; do
  build "$level" "$work/program" "$level" || continue
  run "$level" "$work/program" --values || continue
  mv "$work/out" "$work/values$level"
  first=${first:-$work/values$level}
  same_values "$first" "$work/values$level" || fail "$level: not the values of $(basename "$first")"
done

# Everything below is checked as users compile it.
export PARDIFF_OPTIONS=verify-each
if [ "$plugin" != selftest ]; then
  build "-O3 in any order" "$work/program" -O3 && run "-O3 in any order" "$work/program"
  for replay in never always; do
    PARDIFF_OPTIONS="verify-each pack replay=$replay" build "replay=$replay" "$work/program" -O1 && run "replay=$replay" "$work/program"
  done
fi

export SHORT=1 # a program that repeats something many times does it less often
for checker in "${checkers[@]}"; do
  case $checker in
    none) ;;
    asan)
      build asan "$work/program" -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer &&
        run asan env ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1 "$work/program"
      ;;
    valgrind)
      build valgrind "$work/program" -O2 -gdwarf-4 && # which valgrind 3.19 can read
        run valgrind valgrind -q --suppressions="$here/valgrind.supp" --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=all "$work/program"
      ;;
    *) fail "no checker is named $checker" ;;
  esac
done
exit $failed
