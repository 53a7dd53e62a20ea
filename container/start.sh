#!/bin/sh
# Puts the nodes where n8n looks for community packages, then runs the command in the arguments.
# That place is in the volume at /home/node/.n8n, which hides what the image has there. So the image keeps the nodes
# in /opt, and each start copies them unless the volume has the same ones. Custom extensions would need no copy, but
# rename the nodes to CUSTOM.*, and workflows would not find them.
set -eu

package=/opt/n8n-nodes-audio-editing
folder="${N8N_USER_FOLDER:-$HOME}/.n8n/nodes/node_modules"
target="$folder/n8n-nodes-audio-editing"

if ! diff -rq "$package" "$target" >/dev/null 2>&1; then
	mkdir -p "$folder"
	# n8n skips folders that begin with a dot.
	copy="$(mktemp -d "$folder/.audio-editing-XXXXXX")"
	cp -R "$package/." "$copy"
	chmod 755 "$copy"
	rm -rf "$target"
	mv "$copy" "$target"
	# Workers may share the volume and start at the same time: if another one was first, the copy is in its folder.
	rm -rf "${target:?}/${copy##*/}"
fi

exec "$@"
