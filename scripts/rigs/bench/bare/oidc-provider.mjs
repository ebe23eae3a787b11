// oidc-provider alone, as in its getting-started guide: one client, everything in memory.
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(url, {
  clients: [{ client_id: 'bench', client_secret: 'bench', redirect_uris: ['https://client.test/callback'] }],
});
server.on('request', provider.callback());
console.log(JSON.stringify({ url }));
