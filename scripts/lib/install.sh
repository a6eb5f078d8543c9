# install.sh: sourced by the scripts beside it. Installs Debian packages that are missing.
#
#   install_packages PACKAGE...     does nothing, and needs no rights, when all are there
#   install_build_packages          what building the plugin and using it takes
#   install_test_packages           what the tests take beyond that

build_packages=(llvm-19-dev llvm-19-tools clang-19 libclang-19-dev libpolly-19-dev libomp-19-dev lld-19 g++)
test_packages=(libclang-rt-19-dev flang-19 valgrind)

install_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "installing ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "install these packages as root: ${missing[*]}" >&2
      return 1
    }
    as_root=(sudo)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

need_cargo() {
  command -v cargo >/dev/null || {
    # rustup leaves cargo here; a shell that has not read its profile does not know.
    [ -x "$HOME/.cargo/bin/cargo" ] && export PATH="$HOME/.cargo/bin:$PATH"
  }
  command -v cargo >/dev/null || {
    echo "Rust is missing: see https://rustup.rs" >&2
    return 1
  }
}

install_build_packages() { install_packages "${build_packages[@]}"; }
install_test_packages() { install_packages "${build_packages[@]}" "${test_packages[@]}"; }
