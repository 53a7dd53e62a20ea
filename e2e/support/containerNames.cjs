/** Loaded before a program: the names of compose.yaml's containers are this machine, as in their network. */
const dns = require('node:dns');
const { syncBuiltinESMExports } = require('node:module');

const NAMES = ['audio-editing', 'n8n'];
const { lookup } = dns;

dns.lookup = (name, ...rest) => lookup(NAMES.includes(name) ? '127.0.0.1' : name, ...rest);
syncBuiltinESMExports();
