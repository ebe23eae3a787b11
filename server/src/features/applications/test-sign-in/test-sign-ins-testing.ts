import { beginAppTry, getAppTry } from '@orchestrate/shared';
import request from 'supertest';
import { cookieIn } from '#testing/browser.ts';
import type { TestPortal } from '#testing/test-portal.ts';

export interface StartedTest {
  tryId: string;
  url: string;
  /** The administrator's browser cookie. */
  cookie: string;
}

/** Returns helpers that run test sign-ins as an acme administrator. */
export function testSignIns(portal: TestPortal, token: string) {
  return {
    async begin(appId: string): Promise<StartedTest> {
      const input = { params: { orgCode: 'acme', appId }, body: {} };
      const answer = await portal.call(beginAppTry, input, { token });
      return { tryId: answer.body.tryId, url: answer.body.url, cookie: cookieIn(answer) };
    },
    async result(appId: string, tryId: string) {
      const { body } = await portal.call(getAppTry, { params: { orgCode: 'acme', appId, tryId } }, { token });
      return body.try;
    },
  };
}

/** Follows the protocol's redirect back to the portal, as the administrator's browser would. */
export function returnFromProtocol(address: string | URL, cookie: string, form?: Readonly<Record<string, string>>) {
  const site = request(String(address));
  return (form ? site.post('').type('form').send(form) : site.get('')).set('cookie', cookie);
}
