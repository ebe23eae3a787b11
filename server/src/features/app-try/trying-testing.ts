import { beginAppTry, getAppTry } from '@orchestrate/shared';
import type { TestPortal } from '../../testing/test-portal.ts';

export interface BegunTry {
  tryId: string;
  url: string;
  /** What the administrator's browser keeps. */
  cookie: string;
}

/** An administrator of acme who tries applications. */
export function trying(portal: TestPortal, token: string) {
  return {
    async begin(appId: string): Promise<BegunTry> {
      const input = { params: { orgCode: 'acme', appId }, body: {} };
      const { body, headers } = await portal.call(beginAppTry, input, { token });
      const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
      return { tryId: body.tryId, url: body.url, cookie };
    },
    async result(appId: string, tryId: string) {
      const { body } = await portal.call(getAppTry, { params: { orgCode: 'acme', appId, tryId } }, { token });
      return body.try;
    },
  };
}

/** Comes back from the protocol as the administrator's browser would. */
export function comeBack(address: string | URL, cookie: string, form?: Readonly<Record<string, string>>) {
  const posted = form && { method: 'POST', body: new URLSearchParams(form) };
  return fetch(address, { headers: { cookie }, redirect: 'manual', ...posted });
}
