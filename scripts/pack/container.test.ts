import dns from 'node:dns';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectPortal } from '@orchestrate/server/testing-api';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { MEANINGS_FILE } from '../build.ts';
import { COPIED_PATHS } from '../pack.ts';
import { buildImage, hostPath, type Image, readDockerignore } from '../rigs/container/build-image.ts';
import { readCompose } from '../rigs/container/compose.ts';
import {
  BARE_SECONDS,
  BARE_SERVER,
  type Container,
  freePort,
  layerBytes,
  runImage,
} from '../rigs/container/run-image.ts';
import { signInToWiki } from '../rigs/container/sign-in-to-wiki.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Size limit for our layers, which include 4 MB for libvips. The base image with Node.js adds another 60 MB. */
const MAX_MEGABYTES = 25;

let folder: string;
let image: Image;
let container: Container;
let port: number;
let spacePort: number;
/** CPU time until healthy, in milliseconds, for a bare server in the image and for the portal. */
let untilHealthy: { bare: number; portal: number };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'container-'));
  // The image's user must be able to read the files.
  chmodSync(folder, 0o755);
  // Reuses the result of the packing stage, which is the package that all tests install.
  const packed = join(folder, 'packed');
  mkdirSync(join(packed, 'workspace', 'dist'), { recursive: true });
  cpSync(inject('packageFolder'), join(packed, 'workspace', 'dist', 'package'), { recursive: true });
  image = await buildImage({ context: ROOT, folder: join(folder, 'stages'), given: { package: packed } });

  [port, spacePort] = [await freePort(), await freePort()];
  const { environment } = readCompose(ROOT, { PORT: `${port}`, SPACE_PORTS: `${spacePort}-${spacePort}` }).services
    .portal;
  // Port 3000 is free inside a container, but may be taken on this machine.
  const env = Object.entries(environment).map(([name, value]) => [name, value.replace(':3000', `:${port}`)]);
  const settings = { ...Object.fromEntries(env), PORT: `${port}` };
  // The bare server imports this workspace's fastify, which the image's user might not be able to read.
  const user = `${process.getuid?.()}:${process.getgid?.()}`;
  const server = runImage({ ...image, user, cmd: ['--input-type=module', '--eval', BARE_SERVER] }, settings);
  const bare = (await server.healthy()).own;
  await server.stop();
  container = runImage(image, settings);
  untilHealthy = { bare, portal: (await container.healthy()).own };
}, 600_000);

afterAll(async () => {
  await container?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Resolves the service name as a compose network would. */
function resolveServiceName(): void {
  const { lookup } = dns;
  vi.spyOn(dns, 'lookup').mockImplementation(((host: string, ...rest: [never, never]) =>
    lookup(host === 'portal' ? '127.0.0.1' : host, ...rest)) as typeof lookup);
}

const tokenInLog = () => /#lab-token=(\S+)/.exec(container.log())?.[1] ?? '';

test('acceptance 25: a small non-root image is healthy in < 5 s and serves one origin', async () => {
  expect(image.user).toBe('65532:65532');
  expect((await layerBytes(image)) / 2 ** 20).toBeLessThan(MAX_MEGABYTES);
  const [, interval] = /--interval=(\d+)s/.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
  // Docker notices that the portal is healthy only at its next health check, so add one interval.
  expect((untilHealthy.portal / untilHealthy.bare) * BARE_SECONDS + Number(interval)).toBeLessThan(5);
  // The remaining files are JavaScript, which runs on both architectures.
  const native = readdirSync(hostPath(image, 'node_modules'), { recursive: true }).filter((name) =>
    String(name).endsWith('.node'),
  );
  expect(native).toEqual([join('better-sqlite3', 'prebuilds', `linux-${process.arch}.node`)]);

  const url = `http://localhost:${port}`;
  for (const path of ['/acme/sign-in', '/authenticator']) {
    const page = await fetch(`${url}${path}`);
    expect(await page.text()).toContain('<div id="root">');
    // Scripts, requests and sockets are limited to the page's own origin.
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'self'|connect-src 'self'/);
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  }
  expect(container.log()).toContain(`${url}/authenticator#lab-token=`);
  const lab = connectPortal({ url, labToken: tokenInLog() });
  expect((await lab.session({ email: 'user@acme.test' })).profile.email).toBe('user@acme.test');
});

test("requires the token for a container's lab, including after a restart", async () => {
  resolveServiceName();
  for (const url of [`http://localhost:${port}`, `http://portal:${port}`]) {
    await expect(connectPortal({ url }).clock()).rejects.toMatchObject({ status: 403 });
    expect(await connectPortal({ url, labToken: tokenInLog() }).clock()).toMatchObject({ mode: 'real' });
  }
});

test('signs a browser on the host in to an application in another container', async () => {
  resolveServiceName();
  const asServer = connectPortal({ url: `http://portal:${port}`, labToken: tokenInLog() });
  const claims = await signInToWiki(asServer, `http://localhost:${port}`);
  expect(claims).toMatchObject({ iss: `http://localhost:${port}/oidc/acme`, email: 'user@acme.test' });
});

test("reaches a space on a published port by the portal's name, from host and container", async () => {
  resolveServiceName();
  for (const host of ['localhost', 'portal']) {
    const portal = connectPortal({ url: `http://${host}:${port}`, labToken: tokenInLog() });
    await using space = await portal.space();
    expect(space.url).toBe(`http://${host}:${spacePort}`);
    expect((await space.session({ email: 'user@acme.test' })).profile.email).toBe('user@acme.test');
  }
});

test('lints the Dockerfile and finds the packed files in its context', () => {
  expect(validate(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))).toEqual([]);
  const ignored = readDockerignore(ROOT);
  // Packing builds these files.
  const built = ['web/dist', MEANINGS_FILE];
  const sources = COPIED_PATHS.filter((path) => !built.includes(path));
  expect(sources.filter((path) => ignored.ignores(path))).toEqual([]);
});

test('compose publishes the port, persists the data and drops all capabilities', () => {
  const { services, volumes } = readCompose(ROOT);
  const { portal } = services;
  const range = portal.environment.SPACE_PORTS;
  expect(portal.ports).toEqual(['127.0.0.1:3000:3000', `127.0.0.1:${range}:${range}`]);
  expect(image.ports).toEqual(['3000']);
  expect(portal.volumes).toEqual(image.volumes.map((path) => `data:${path}`));
  expect(Object.keys(volumes)).toEqual(['data']);
  expect(portal).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] });
});
