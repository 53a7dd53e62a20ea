import S3rver from 's3rver';

/** The process of `startS3Server`: serves one bucket in a folder, and prints its port. */
const [directory = '', bucket = '', port = '0'] = process.argv.slice(2);
const server = new S3rver({
	address: '127.0.0.1',
	port: Number(port),
	silent: true,
	directory,
	configureBuckets: [{ name: bucket, configs: [] }],
});
console.log((await server.run()).port);
