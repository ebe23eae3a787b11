/**
 * A small portal client like a real application's. It signs a user in with a QR code, keeps the session alive, and
 * shows the user's profile and devices. It imports nothing from the portal.
 */

export interface Profile {
  suid: string;
  email: string;
  firstName: string;
}

export interface Device {
  zid: string;
  nickName: string;
  status: 'active' | 'paused';
}

/** Code a user scans to sign in. */
export interface SignInCode {
  loginId: string;
  qid: string;
}

export interface ClientOptions {
  url: string;
  org: string;
  /** Timeout per request, in milliseconds. */
  timeoutMs?: number;
  /** Delay before the first retry or reconnection, in milliseconds. Doubles with each further attempt. */
  backoffMs?: number;
  /** How long to wait for a message before polling the sign-in's state, in milliseconds. */
  quietMs?: number;
}

interface Session {
  token: string;
  refreshToken: string;
}

interface LoginMessage {
  state: 'init' | 'pending' | 'rejected' | 'success' | 'expired';
  resultCode: number;
  exchangeToken?: string;
}

type Answer = { resultCode: number; resultName?: string; message?: string } & Record<string, unknown>;

/**
 * Thrown when the portal refuses a request (`reason` is its result name) or a request fails (TIMEOUT, NETWORK,
 * BAD_ANSWER, SIGNED_OUT).
 */
export class ClientError extends Error {
  readonly reason: string;
  readonly status: number;

  constructor(reason: string, message: string, status = 0) {
    super(message);
    this.reason = reason;
    this.status = status;
  }
}

const RETRIES = 2;
const BACKOFF_DOUBLINGS_MAX = 6;
const RETRY_AFTER_MAX_SECONDS = 2;
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class PortalClient {
  readonly #options: Required<ClientOptions>;
  #session: Session | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(options: ClientOptions) {
    this.#options = { timeoutMs: 5_000, backoffMs: 20, quietMs: 200, ...options };
  }

  get isSignedIn(): boolean {
    return this.#session !== undefined;
  }

  /** Signs a user in and returns their profile. @param show receives the code to display */
  async signIn(show: (code: SignInCode) => void): Promise<Profile> {
    const { org: orgCode } = this.#options;
    const started = await this.#send('POST', '/user/login', { orgCode, mode: 'QID' });
    const loginId = String(started.loginId);
    show({ loginId, qid: String(started.qid) });
    const exchangeToken = await this.#outcomeOf(loginId);
    const { token, refreshToken, profile } = await this.#send('POST', '/user/login', { loginId, exchangeToken });
    this.#session = { token: String(token), refreshToken: String(refreshToken) };
    return profile as Profile;
  }

  async profile(): Promise<Profile> {
    return (await this.#asPerson('GET', '/profile')).profile as Profile;
  }

  async devices(): Promise<Device[]> {
    const { suid } = await this.profile();
    return (await this.#asPerson('GET', `/user?suid=${suid}`)).devices as Device[];
  }

  async pause({ zid }: Device): Promise<void> {
    const { suid } = await this.profile();
    await this.#asPerson('POST', '/device/manage', { zid, suid, action: 'pause' });
  }

  async rename({ zid }: Device, nickname: string): Promise<void> {
    const { suid } = await this.profile();
    await this.#asPerson('POST', '/device/nickname', { zid, suid, nickname });
  }

  async signOut(): Promise<void> {
    await this.#asPerson('POST', '/logout', {});
    this.#session = undefined;
  }

  /** Sends a request as the signed-in user, and renews an expired access token first. */
  async #asPerson(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const session = this.#session;
    if (!session) throw new ClientError('SIGNED_OUT', 'Not signed in.');
    try {
      return await this.#send(method, path, body, session.token);
    } catch (reason) {
      if (!(reason instanceof ClientError) || reason.status !== 401) throw reason;
      // Several requests can discover the expired token at the same time. Only one of them refreshes it, and the
      // others reuse the new token.
      if (this.#session === session) {
        this.#refreshing ??= this.#refresh(session).finally(() => {
          this.#refreshing = undefined;
        });
        await this.#refreshing;
      }
      return this.#send(method, path, body, this.#session?.token);
    }
  }

  async #refresh({ refreshToken }: Session): Promise<void> {
    try {
      const renewed = await this.#send('POST', '/refresh', { refreshToken });
      this.#session = { token: String(renewed.token), refreshToken: String(renewed.refreshToken) };
    } catch (reason) {
      if (!(reason instanceof ClientError) || reason.status !== 401) throw reason;
      this.#session = undefined;
      throw new ClientError('SIGNED_OUT', 'The session has ended. Sign in again.', 401);
    }
  }

  /** Sends a request. Reads are retried if the portal is busy or unreachable. */
  async #send(method: 'GET' | 'POST', path: string, body?: object, token?: string): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#sendOnce(method, path, body, token);
      } catch (reason) {
        const isPassing = reason instanceof ClientError && (reason.status >= 500 || reason.status === 0);
        if (method !== 'GET' || !isPassing || attempt === RETRIES) throw reason;
        await wait(this.#options.backoffMs * 2 ** attempt);
      }
    }
  }

  async #sendOnce(method: 'GET' | 'POST', path: string, body?: object, token?: string): Promise<Answer> {
    const response = await fetch(`${this.#options.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(this.#options.timeoutMs),
      ...(body && { body: JSON.stringify(body) }),
    }).catch((cause: Error) => {
      throw cause.name === 'TimeoutError'
        ? new ClientError('TIMEOUT', 'The portal did not respond in time.')
        : new ClientError('NETWORK', 'Could not reach the portal.');
    });
    const retryAfter = Number(response.headers.get('retry-after'));
    if (response.status === 429 && retryAfter <= RETRY_AFTER_MAX_SECONDS) {
      await wait(retryAfter * 1_000);
      return this.#sendOnce(method, path, body, token);
    }
    const answer: Answer | undefined = await response.json().catch(() => undefined);
    if (answer?.resultName) throw new ClientError(answer.resultName, answer.message ?? '', response.status);
    if (!response.ok || typeof answer?.resultCode !== 'number') {
      throw new ClientError('BAD_ANSWER', 'The portal sent an unexpected response.', response.status);
    }
    return answer;
  }

  /** Follows a sign-in until it ends, reconnecting as often as needed. */
  async #outcomeOf(loginId: string): Promise<string> {
    for (let lost = 0; ; ) {
      const followed = await this.#follow(loginId);
      if (followed === 'lost') await wait(this.#options.backoffMs * 2 ** Math.min(lost++, BACKOFF_DOUBLINGS_MAX));
      const { state, exchangeToken } =
        typeof followed === 'string' ? await this.#send('GET', `/user/login/${loginId}`) : followed;
      if (state === 'success' && exchangeToken) return String(exchangeToken);
      if (state === 'rejected') throw new ClientError('LOGIN_REJECTED', 'The sign-in was denied on the phone.');
      if (state === 'expired') throw new ClientError('EXPIRED', 'The code has expired.');
    }
  }

  /**
   * Returns a connection's final message, `quiet` if no message arrived in time, or `lost` if the connection closed
   * before a final message.
   */
  #follow(loginId: string): Promise<LoginMessage | 'quiet' | 'lost'> {
    const address = new URL(`/ws/login?loginId=${loginId}`, this.#options.url.replace(/^http/, 'ws'));
    return new Promise((resolve) => {
      const socket = new WebSocket(address);
      const end = (outcome: LoginMessage | 'quiet' | 'lost') => {
        clearTimeout(timer);
        socket.close();
        resolve(outcome);
      };
      let timer = setTimeout(end, this.#options.quietMs, 'quiet');
      socket.addEventListener('message', ({ data }) => {
        clearTimeout(timer);
        timer = setTimeout(end, this.#options.quietMs, 'quiet');
        const message: LoginMessage = JSON.parse(String(data));
        if (message.state !== 'init' && message.state !== 'pending') end(message);
      });
      socket.addEventListener('close', () => end('lost'));
      socket.addEventListener('error', () => end('lost'));
    });
  }
}
