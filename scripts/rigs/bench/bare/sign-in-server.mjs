// The portal's four sign-in calls and its channel, built directly on Fastify and ws: the minimum for a sign-in,
// without authentication, checks or caches.
import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import { WebSocketServer } from 'ws';
import { createSignInWork } from './sign-in-work.mjs';

/** The portal's responses, reused here to match their size. */
const { authState, challenge } = JSON.parse(process.env.ANSWERS);
const work = createSignInWork(process.env.DATABASE_FILE);
const channels = new Map();
const id = () => randomBytes(16).toString('base64url');

function show(loginId, state, more) {
  const message = { op: 'LOGIN', state, resultCode: 77, ...more, timestamp: new Date().toISOString() };
  channels.get(loginId)?.send(JSON.stringify(message));
}

const app = Fastify();
app.get('/health', () => ({ resultCode: 0 }));
app.post('/api/user/login', ({ body }) => {
  if (body.exchangeToken) {
    work.exchange();
    return { resultCode: 0, ...authState };
  }
  work.begin();
  const loginId = id();
  return { resultCode: 77, loginId, mode: body.mode, qid: loginId, idTimeout: 120 };
});
const commandOf = ({ jws }) => JSON.parse(Buffer.from(jws.split('.')[1], 'base64url').toString());
app.post('/api/authenticator/resolve', ({ body }) => {
  const { code } = commandOf(body);
  work.open();
  show(code, 'pending', { deviceName: 'Phone' });
  return { resultCode: 0, challenge: { ...challenge, challengeId: code } };
});
app.post('/api/authenticator/respond', ({ body }) => {
  const { challengeId } = commandOf(body);
  work.answer();
  show(challengeId, 'success', { deviceName: 'Phone', exchangeToken: id() });
  return { resultCode: 0 };
});

const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false });
app.server.on('upgrade', (request, stream, head) => {
  const loginId = new URL(request.url, 'http://localhost').searchParams.get('loginId');
  sockets.handleUpgrade(request, stream, head, (socket) => {
    channels.set(loginId, socket);
    socket.on('close', () => channels.delete(loginId));
    show(loginId, 'init');
  });
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ url }));
