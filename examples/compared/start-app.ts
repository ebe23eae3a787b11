import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { createApp, type Settings } from '../express/app.ts';

/**
 * Starts the application under test for one test file. @param provide returns the provider settings for the
 * application's URL
 */
export async function startApp(provide: (url: string) => Promise<Omit<Settings, 'url'>>): Promise<string> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  server.on('request', await createApp({ url, ...(await provide(url)) }));
  after(() => server.close());
  return url;
}
