import { codeOf, exportActivity, getIdpMetadata, type RefusalBody, readWorldFile } from '@orchestrate/shared';
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { authStateOf, tokenFor } from '#testing.ts';
import { keepLabToken } from '../session/browser-state.ts';
import { currentSession, endSession, setKeptOut, startSession, useIsKeptOut } from '../session/session.ts';
import { fetchFile } from './files.ts';

const token = tokenFor('fresh', 600);

/** Answers every request alike, and records the tokens that came. */
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
  setKeptOut(false);
});

test('a file is fetched with the token that its entry asks for', async () => {
  keepLabToken('for the lab');
  const tokens = network(() => new Response('a,b'));
  expect(await (await fetchFile(exportActivity, { query: { format: 'csv' } })).text()).toBe('a,b');
  await fetchFile(readWorldFile, {});
  await fetchFile(getIdpMetadata, { query: { orgCode: 'acme', appId: 'travel-desk' } });
  expect(tokens).toEqual([`Bearer ${token}`, 'Bearer for the lab', null]);
});

test('a blocked address closes the private area when a file is fetched too', async () => {
  network(refused(403, { resultCode: codeOf('IP_NOT_VALID'), resultName: 'IP_NOT_VALID', message: 'Not from here.' }));
  await expect(fetchFile(exportActivity, { query: { format: 'csv' } })).rejects.toThrow('Not from here.');
  expect(renderHook(useIsKeptOut).result.current).toBe(true);
  expect(currentSession()).not.toBeNull();
});
