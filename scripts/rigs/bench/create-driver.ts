import { createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { Agent, request } from 'node:http';
import {
  type AuthState,
  type EndpointDefinition,
  login,
  loginLive,
  type PendingChallenge,
  type RefusalBody,
  type ReplyOf,
  resolve,
  respond,
  type ServerMessage,
  virtualDevices,
} from '@orchestrate/shared';
import { WebSocket } from 'ws';

/** A seeded user with a simulated phone, ready to sign in. */
export interface Person {
  zid: string;
  orgCode: string;
  email: string;
  key: KeyObject;
}

/** Responses that the browser and the phone received during a sign-in. */
export interface SignInResponses {
  challenge: PendingChallenge;
  authState: AuthState;
}

/**
 * Signs in as both browser and phone. Does as little work as possible, because only the server is being measured:
 * signs with Node's crypto instead of the device core's JavaScript.
 */
export interface SignInDriver {
  /** Returns the seeded users of an organisation who have an active phone. */
  people(orgCode: string): Promise<Person[]>;
  /** Starts a sign-in, follows its channel, opens the code, approves it and exchanges the token. */
  signIn(person: Person): Promise<SignInResponses>;
  close(): void;
}

export function createDriver(url: string): SignInDriver {
  const agent = new Agent({ keepAlive: true });

  function call<const D extends EndpointDefinition>(entry: D, body?: object, search = ''): Promise<ReplyOf<D>> {
    const sent = body && JSON.stringify(body);
    return new Promise((done, fail) => {
      const out = request(`${url}/api${entry.path}${search}`, {
        agent,
        method: entry.method,
        headers: sent ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) } : {},
      });
      out.once('error', fail).once('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part)).once('error', fail);
        response.once('end', () => {
          const text = Buffer.concat(parts).toString();
          const answer: ReplyOf<D> & Partial<RefusalBody> = JSON.parse(text);
          if (answer.resultName === undefined) done(answer);
          else fail(new Error(`${entry.path} answered ${response.statusCode}: ${text}`));
        });
      });
      out.end(sent);
    });
  }

  /**
   * Follows a sign-in's channel. `opened` resolves with the first message, `approved` resolves to the exchange token.
   */
  function follow(loginId: string): { opened: Promise<void>; approved: Promise<string> } {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${loginLive.path}?loginId=${loginId}`);
    const opened = Promise.withResolvers<void>();
    const approved = Promise.withResolvers<string>();
    socket.on('message', (data: Buffer) => {
      const message: ServerMessage<typeof loginLive> = JSON.parse(data.toString());
      opened.resolve();
      if (message.exchangeToken === undefined) return;
      approved.resolve(message.exchangeToken);
      socket.close();
    });
    socket.on('error', (reason) => {
      opened.reject(reason);
      approved.reject(reason);
    });
    // A channel error also rejects `opened`, which callers await first, so ignore it here.
    approved.promise.catch(() => {});
    return { opened: opened.promise, approved: approved.promise };
  }

  return {
    async people(orgCode) {
      const { devices } = await call(virtualDevices, undefined, `?orgCode=${orgCode}`);
      return devices
        .filter(({ type }) => type === 'mobile')
        .map(({ zid, primaryEmail, privateKeyJwk }) => ({
          zid,
          orgCode,
          email: primaryEmail,
          key: createPrivateKey({ key: { ...privateKeyJwk }, format: 'jwk' }),
        }));
    },
    async signIn(person) {
      const { zid, orgCode } = person;
      const { loginId = '', qid = '' } = await call(login, { orgCode, mode: 'QID' });
      const { opened, approved } = follow(loginId);
      await opened;
      const { challenge } = await call(resolve, { zid, jws: signedBy(person, { code: qid }) });
      const approval = { challengeId: challenge.challengeId, decision: 'approve' };
      await call(respond, { zid, jws: signedBy(person, approval) });
      const { token, refreshToken, profile, orgId, role, modules } = await call(login, {
        loginId,
        exchangeToken: await approved,
      });
      if (!token || !refreshToken || !profile || !orgId || !role || !modules)
        throw new Error('The sign-in did not return a complete session.');
      return { challenge, authState: { token, refreshToken, profile, orgId, role, modules } };
    },
    close: () => agent.destroy(),
  };
}

/** Signs a command as the device's compact JWS (contract §14). */
function signedBy({ zid, orgCode, key }: Person, command: object): string {
  const claims = { aud: orgCode, iat: Math.floor(Date.now() / 1_000), jti: randomUUID(), ...command };
  const input = [{ alg: 'ES256', typ: 'device+jwt', kid: zid }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}
