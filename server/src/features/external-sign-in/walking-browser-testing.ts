/** A browser that follows redirects from one site to the next and keeps the cookies of each. */
export interface WalkingBrowser {
  /**
   * Opens an address and follows its redirects to a page, which it returns.
   * @param change of an address before it is opened; undefined: it stops there
   */
  open(address: string, change?: (url: URL) => URL | undefined): Promise<URL>;
  /** Sends JSON as a script of the page would. */
  post(address: string, body: object): Promise<{ status: number; body: Record<string, unknown> }>;
  /** The `Set-Cookie` headers received, unchanged. */
  setCookies: string[];
}

/** More redirects than any sign-in needs. */
const MOST_STEPS = 20;

export function walkingBrowser(): WalkingBrowser {
  const jars = new Map<string, Map<string, string>>();
  const setCookies: string[] = [];

  async function send(url: URL, init: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    const jar = jars.get(url.origin) ?? new Map<string, string>();
    jars.set(url.origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, ...(cookie && { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const header of response.headers.getSetCookie()) {
      setCookies.push(header);
      const [pair = ''] = header.split(';');
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }

  return {
    setCookies,
    async open(address, change = (url) => url) {
      let url = new URL(address);
      for (let step = 0; step < MOST_STEPS; step += 1) {
        const changed = change(url);
        if (!changed) return url;
        const response = await send(changed, { headers: { accept: 'text/html' } });
        await response.body?.cancel();
        const location = response.headers.get('location');
        if (location === null) return changed;
        url = new URL(location, changed);
      }
      throw new Error(`There is no end to the redirects at ${url}.`);
    },
    async post(address, body) {
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const response = await send(new URL(address), { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: JSON.parse(await response.text()) };
    },
  };
}
