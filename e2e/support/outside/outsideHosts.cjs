/** Loaded before n8n: what it sends to other hosts by HTTPS goes to OUTSIDE_PORT here, with the host in a header. */
const http = require('node:http');
const https = require('node:https');
const { syncBuiltinESMExports } = require('node:module');

const port = process.env.OUTSIDE_PORT;

https.request = (first, ...rest) => {
	const isUrl = typeof first === 'string' || first instanceof URL;
	const url = isUrl ? new URL(first) : undefined;
	const options = isUrl ? (typeof rest[0] === 'object' ? rest.shift() : {}) : first;
	const host = url?.hostname ?? options.hostname ?? options.host;
	const request = http.request(
		{
			method: options.method,
			path: options.path ?? `${url.pathname}${url.search}`,
			headers: options.headers,
			host: '127.0.0.1',
			port,
			setHost: false,
		},
		...rest,
	);
	request.setHeader('host', host);
	return request;
};
https.get = (...given) => https.request(...given).end();
syncBuiltinESMExports();
