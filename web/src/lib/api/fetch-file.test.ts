import { codeOf, exportActivity, getIdpMetadata, type RefusalBody, readWorldFile } from '@orchestrate/shared';
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { authStateOf, tokenFor } from '#testing.ts';
import { storeLabToken } from '../session/browser-state.ts';
import {
  currentSession,
  endSession,
  setAddressBlocked,
  startSession,
  useIsAddressBlocked,
} from '../session/session.ts';
import { fetchFile } from './files.ts';

const token = tokenFor('fresh', 600);

/** Answers every request with the same response and records the tokens sent. */
function network(answer: () => Response): (string | null)[] {
  const tokens: (string | null)[] = [];
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    tokens.push(new Headers(init.headers).get('authorization'));
    return Promise.resolve(answer());
  });
  return tokens;
}

const refused = (status: number, body: Partial<RefusalBody>) => () => Response.json(body, { status });

beforeEach(() => startSession(authStateOf({ token })));
afterEach(() => {
  endSession(false);
  setAddressBlocked(false);
});

test('fetches a file with the token that its endpoint requires', async () => {
  storeLabToken('for the lab');
  const tokens = network(() => new Response('a,b'));
  expect(await (await fetchFile(exportActivity, { query: { format: 'csv' } })).text()).toBe('a,b');
  await fetchFile(readWorldFile, {});
  await fetchFile(getIdpMetadata, { query: { orgCode: 'acme', appId: 'travel-desk' } });
  expect(tokens).toEqual([`Bearer ${token}`, 'Bearer for the lab', null]);
});

test('closes the private area if a file request is refused because the address is blocked', async () => {
  network(refused(403, { resultCode: codeOf('IP_NOT_VALID'), resultName: 'IP_NOT_VALID', message: 'Not from here.' }));
  await expect(fetchFile(exportActivity, { query: { format: 'csv' } })).rejects.toThrow('Not from here.');
  expect(renderHook(useIsAddressBlocked).result.current).toBe(true);
  expect(currentSession()).not.toBeNull();
});
