#!/usr/bin/env bash
# Runs a command as Docker runs it in n8n's image, without Docker: as user 1000, in a root folder that is read-only
# except for its volumes and tmpfs, without capabilities. Needs root, and a mount namespace of its own:
#   unshare --mount enter.sh ROOT MOUNT... -- COMMAND...
# A MOUNT is "tmpfs:PLACE", "rw:SOURCE:PLACE" or "ro:SOURCE:PLACE"; places are inside ROOT, an empty folder.
set -euo pipefail

root="$1"
shift

mount -t tmpfs -o mode=755 tmpfs "$root"
mkdir -p "$root"/{dev,etc,opt,proc,usr}
# Programs are Debian's, not Alpine's.
for place in bin lib lib64; do [ ! -e "/$place" ] || ln -s "usr/$place" "$root/$place"; done
mount --bind /usr "$root/usr"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/usr/local"
mkdir -p "$root"/usr/local/{bin,lib/node_modules}
cp -R /etc/ssl "$root/etc/"
echo 'node:x:1000:1000::/home/node:/bin/sh' >"$root/etc/passwd"
echo 'node:x:1000:' >"$root/etc/group"
echo '127.0.0.1 localhost' >"$root/etc/hosts"
# tini's part in this is to run what follows "--".
printf '#!/bin/sh\nshift\nexec "$@"\n' >"$root/usr/local/bin/tini"
# What n8n's image has at this place.
printf '#!/bin/sh\nif [ "$#" -gt 0 ]; then exec n8n "$@"; else exec n8n; fi\n' >"$root/docker-entrypoint.sh"
chmod 755 "$root/usr/local/bin/tini" "$root/docker-entrypoint.sh"
ln -s ../lib/node_modules/n8n/bin/n8n "$root/usr/local/bin/n8n"
install -d -o 1000 -g 1000 "$root/home/node"

while [ "$1" != -- ]; do
	IFS=: read -r kind source place <<<"$1"
	[ "$kind" != tmpfs ] || place="$source"
	if [ -f "$source" ] && [ "$kind" != tmpfs ]; then
		mkdir -p "$(dirname "$root$place")"
		touch "$root$place"
	else
		mkdir -p "$root$place"
	fi
	case "$kind" in
	tmpfs) mount -t tmpfs -o mode=1777 tmpfs "$root$place" ;;
	rw) mount --bind "$source" "$root$place" ;;
	ro) mount --bind "$source" "$root$place" && mount -o remount,bind,ro "$root$place" ;;
	esac
	shift
done
shift

mount -o remount,bind,ro "$root/usr"
mount -o remount,ro "$root/usr/local"
mount -o remount,ro "$root"
exec setpriv --no-new-privs unshare --root="$root" --wd=/home/node --setgid=1000 --setuid=1000 "$@"
