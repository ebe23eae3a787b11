import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getPublicFaq, LIMITS } from '@orchestrate/shared';
import { act, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closePage, visit } from '#layout/testing.tsx';
import { paths } from '#paths.ts';
import { fill, user } from '#testing.ts';
import { recordsOf } from './faq-content.tsx';
import FaqPage from './faq-page.tsx';

const QUESTION = 'How do I sign in without a password?';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(async () => {
  vi.useRealTimers();
  await closePage(portal);
});

const open = (address = '', orgId = 'acme') =>
  visit(
    portal,
    paths.faq(orgId) + address,
    <Routes>
      <Route path="/:orgId/faq" element={<FaqPage />} />
    </Routes>,
  );

const questions = () => screen.getAllByRole('button', { expanded: false }).map(({ textContent }) => textContent);

// covers: spec 2.2.52
test('expands a question and keeps it in the URL', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: QUESTION }));
  await screen.findByText(/Your device is the key/);
  expect(screen.getByRole('button', { name: QUESTION }).getAttribute('aria-expanded')).toBe('true');
  await waitFor(() => expect(window.location.hash).not.toBe(''));
  await user.click(screen.getByRole('button', { name: QUESTION }));
  await waitFor(() => expect(screen.queryByText(/Your device is the key/)).toBeNull());
});

test('expands the question in the URL', async () => {
  const { categories } = (await portal.call(getPublicFaq, { query: { code: 'acme' } })).body;
  const record = recordsOf(categories).at(-1);
  open(`#${record?.recordId}`);
  const named = await screen.findByRole('button', { name: record?.question ?? '' });
  expect(named.getAttribute('aria-expanded')).toBe('true');
  expect(questions()).toHaveLength(recordsOf(categories).length - 1);
});

test('finds and highlights text in answers, and reports an empty result', async () => {
  open();
  const search = await screen.findByRole('searchbox', { name: 'Search questions and answers' });
  await fill(search, 'FINGERPRINT');
  const [mark] = await screen.findAllByText('fingerprint', { selector: 'mark' });
  expect(mark).toBeTruthy();
  await waitFor(() => expect(window.location.search).toBe('?q=FINGERPRINT'));
  await fill(search, 'quagmire');
  await screen.findByRole('heading', { name: 'No questions match' });
  await user.click(screen.getAllByRole('button', { name: 'Clear search' }).at(-1) ?? search);
  await screen.findByRole('button', { name: QUESTION });
});

test('searches immediately while typing fast, and updates the URL when typing pauses', {
  tags: 'whole',
}, async () => {
  open();
  const search = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search questions and answers' });
  await user.click(search);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let typed = '';
  for (const letter of 'fingerprint') {
    await user.keyboard(letter);
    typed += letter;
    expect(search.value).toBe(typed);
    expect(window.location.search).toBe('');
  }
  expect(screen.getAllByText('fingerprint', { selector: 'mark' })).not.toHaveLength(0);
  act(() => {
    vi.advanceTimersByTime(LIMITS.searchDebounceMs);
  });
  expect(window.location.search).toBe('?q=fingerprint');
});

test('keeps a question in the URL if it is opened right after typing', { tags: 'whole' }, async () => {
  open();
  const search = await screen.findByRole('searchbox', { name: 'Search questions and answers' });
  await fill(search, 'password');
  const question = await screen.findByRole('button', { name: QUESTION });
  await user.click(question);
  await user.click(question);
  await waitFor(() => expect(window.location.hash).not.toBe(''));
  const { hash } = window.location;
  await waitFor(() => expect(window.location.search).toBe('?q=password'));
  expect(window.location.hash).toBe(hash);
});

test('keeps an opened question in the URL if the search is cleared before rendering', async () => {
  open('?q=password');
  const question = await screen.findByRole('button', { name: QUESTION });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  // The router renders only after accepting a URL, so the search must run before the question is rendered.
  act(() => {
    question.click();
    vi.advanceTimersByTime(LIMITS.searchDebounceMs);
  });
  expect(window.location.search).toBe('');
  expect(window.location.hash).not.toBe('');
  expect(question.getAttribute('aria-expanded')).toBe('true');
});

test('keeps a search in the URL if a question is opened before rendering', async () => {
  open();
  const search = await screen.findByRole('searchbox', { name: 'Search questions and answers' });
  const question = screen.getByRole('button', { name: QUESTION });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await fill(search, 'password');
  await user.click(question);
  act(() => {
    vi.advanceTimersByTime(LIMITS.searchDebounceMs);
    question.click();
  });
  expect(window.location.search).toBe('?q=password');
  expect(window.location.hash).not.toBe('');
});

test("reports an organisation that doesn't exist", { tags: 'whole' }, async () => {
  open('', 'nowhere');
  await screen.findByRole('heading', { name: 'There is no organisation “nowhere”' });
});
