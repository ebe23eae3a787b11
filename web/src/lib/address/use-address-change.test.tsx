import { act, renderHook } from '@testing-library/react';
import { BrowserRouter, useLocation, useNavigate } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { useAddressChange } from './use-address-change.ts';
import { useModal, useModalOf } from './use-modal.ts';
import { useGuardedNavigate } from './use-next-step.ts';

afterEach(() => window.history.replaceState(null, '', '/'));

function open(address: string) {
  window.history.replaceState(null, '', address);
  const all = () => ({
    change: useAddressChange(),
    guardedNavigate: useGuardedNavigate(),
    navigateWithin: useGuardedNavigate('/applications/a1'),
    navigate: useNavigate(),
    location: useLocation(),
    dialog: useModalOf(['logout']),
    menu: useModal(),
  });
  return renderHook(all, { wrapper: BrowserRouter }).result;
}

const address = () => window.location.pathname + window.location.search + window.location.hash;

test('keeps the current values of other parameters, the hash and the state', () => {
  const page = open('/faq?q=pass');
  act(() => {
    const { change, navigate } = page.current;
    void navigate('/faq?q=pass&from=mail#r7', { replace: true, state: { list: '?q=x' } });
    change({ q: 'password' });
  });
  expect(address()).toBe('/faq?q=password&from=mail#r7');
  expect(page.current.location.state).toEqual({ list: '?q=x' });
});

test('keeps a query string that is not rendered yet when the hash changes', () => {
  const page = open('/faq');
  act(() => {
    const { change } = page.current;
    change({ q: 'pass' });
    change({}, { hash: 'r7' });
    change({ q: '' });
  });
  expect(address()).toBe('/faq#r7');
});

test('restores the URL and its state after a dialog opens and closes', () => {
  const page = open('/faq?q=pass#r7');
  act(() => void page.current.navigate('/faq?q=pass#r7', { replace: true, state: { code: 7 } }));
  act(() => page.current.dialog.open('logout'));
  expect(address()).toBe('/faq?q=pass&modal=logout#r7');
  expect(page.current.location.state).toEqual({ code: 7 });
  act(() => page.current.dialog.close());
  expect(address()).toBe('/faq?q=pass#r7');
  expect(page.current.location.state).toEqual({ code: 7 });
});

test('after a dialog closes on a response, does not return to a page the user has left', () => {
  const page = open('/manage-users?modal=logout');
  act(() => {
    const { dialog, navigate } = page.current;
    void navigate('/manage-users/somebody');
    dialog.close();
  });
  expect(address()).toBe('/manage-users/somebody');
});

test('opens a dialog from the menu above a page that is not rendered yet', () => {
  const page = open('/login-history');
  act(() => {
    const { menu, navigate } = page.current;
    void navigate('/dashboard');
    menu.open('test-device');
  });
  expect(address()).toBe('/dashboard?modal=test-device');
  expect(page.current.location.pathname).toBe('/dashboard');
});

test('navigates after a response only if the user is still on the same page', () => {
  const page = open('/applications');
  act(() => page.current.guardedNavigate('/applications/a1/configuration'));
  expect(address()).toBe('/applications/a1/configuration');
  act(() => {
    const { guardedNavigate, navigate } = page.current;
    void navigate('/dashboard');
    guardedNavigate('/applications');
  });
  expect(address()).toBe('/dashboard');
});

test('treats another tab of the same form as the same page', () => {
  const page = open('/applications/a1/configuration');
  act(() => {
    const { navigateWithin, navigate } = page.current;
    void navigate('/applications/a1/login-options');
    navigateWithin('/applications');
  });
  expect(address()).toBe('/applications');
});
