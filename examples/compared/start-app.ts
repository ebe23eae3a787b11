import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { createApp, type Settings } from '../express/app.ts';

/** Starts the application for the tests of a file. @param provide returns its provider, given the application's URL */
export async function startApp(provide: (url: string) => Promise<Omit<Settings, 'url'>>): Promise<string> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  server.on('request', await createApp({ url, ...(await provide(url)) }));
  after(() => server.close());
  return url;
}
