import { act, renderHook } from '@testing-library/react';
import { BrowserRouter, useNavigate } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { useSearchAddress } from './use-search-address.ts';

afterEach(() => window.history.replaceState(null, '', '/'));

const FIELDS = ['firstName', 'primaryEmail'];

function open(address: string) {
  window.history.replaceState(null, '', address);
  const both = () => ({ ...useSearchAddress(FIELDS), navigate: useNavigate() });
  return renderHook(both, { wrapper: BrowserRouter }).result;
}

test('applies two quick filter changes', () => {
  const page = open('/manage-users?by=primaryEmail');
  act(() => {
    const { change } = page.current;
    change({ query: 'acme', status: 'active' });
    change({ query: 'acme.test' });
  });
  expect(page.current.address).toEqual({ query: 'acme.test', field: 'primaryEmail', status: 'active' });
});

test.each(['/dashboard', '/manage-users/somebody'])(
  'ignores a delayed search after the user has navigated to %s',
  (elsewhere) => {
    const page = open('/manage-users');
    act(() => {
      const { change, navigate } = page.current;
      void navigate(elsewhere);
      change({ query: 'acme' });
    });
    expect(window.location.pathname + window.location.search).toBe(elsewhere);
  },
);
