#!/bin/sh
# Prints a token for a Weir gateway, for tools that take one from a command: Codex (auth.command),
# Claude Code (apiKeyHelper). The first run logs in: open the address that it prints and allow the
# code. Later runs renew the token. Needs curl.
#
#   weir-token.sh https://weir.example.com
set -eu
umask 077

gateway=${1:?usage: weir-token.sh <address of the gateway>}
gateway=${gateway%/}
folder=${XDG_STATE_HOME:-$HOME/.local/state}/weir
state=$folder/$(printf %s "$gateway" | tr -c 'A-Za-z0-9.\n' _)
# A token that ends sooner is renewed: a request may take a while.
margin=300

mkdir -p "$folder"

# Tools run several of these at once, and a refresh token works once.
lock=$state.lock
tries=0
until mkdir "$lock" 2>/dev/null; do
  tries=$((tries + 1))
  # A run that was killed has left it.
  [ "$tries" -lt 60 ] || { rmdir "$lock" 2>/dev/null || true; tries=0; }
  sleep 1
done
trap 'rmdir "$lock" 2>/dev/null || true' EXIT
trap 'exit 1' HUP INT TERM

field() { printf %s "$1" | tr -d '\n' | sed -n "s/.*\"$2\" *: *\"\{0,1\}\([^\",}]*\)\"\{0,1\}.*/\1/p"; }

# Tokens are sent as a body from standard input: arguments are seen by other users of a machine.
post() { printf %s "$2" | curl -sS --max-time 30 --data-binary @- "$gateway$1"; }

keep() {
  access=$(field "$1" access_token)
  [ -n "$access" ] || return 1
  printf '%s\n%s\n%s\n' "$access" "$(field "$1" refresh_token)" \
    "$(($(date +%s) + $(field "$1" expires_in)))" >"$state.new"
  mv "$state.new" "$state"
}

log_in() {
  codes=$(post /oauth/device_authorization "client_id=weir-token&device_name=$(uname -n | tr -c 'A-Za-z0-9._\n-' _)")
  device=$(field "$codes" device_code)
  [ -n "$device" ] || { echo "The gateway begins no login: $codes" >&2; exit 1; }
  printf 'Open %s and allow the code %s.\n' \
    "$(field "$codes" verification_uri)" "$(field "$codes" user_code)" >&2
  interval=$(field "$codes" interval)
  while :; do
    sleep "$interval"
    reply=$(post /oauth/token "grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=$device")
    keep "$reply" && return
    case $(field "$reply" error) in
      authorization_pending | temporarily_unavailable) ;;
      slow_down) interval=$((interval + 5)) ;;
      *) echo "The login has failed: $(field "$reply" error_description)" >&2; exit 1 ;;
    esac
  done
}

if [ -f "$state" ]; then
  { read -r access; read -r refresh; read -r expires; } <"$state"
  if [ "$(($(date +%s) + margin))" -ge "$expires" ]; then
    reply=$(post /oauth/token "grant_type=refresh_token&refresh_token=$refresh") || exit 1
    if ! keep "$reply"; then
      [ "$(field "$reply" error)" = invalid_grant ] || { echo "The token was not renewed: $reply" >&2; exit 1; }
      log_in
    fi
  fi
else
  log_in
fi
printf '%s\n' "$access"
