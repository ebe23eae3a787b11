import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { setShortcutsOn } from '#lib/browser/shortcut-keys.ts';
import { paths } from '#paths.ts';
import { stubPageWidth, user } from '#testing.ts';
import ManageUsersScreen from './manage-users-screen.tsx';

let portal: TestPortal;
afterEach(() => closePage(portal));

const ADMIN = 'super.admin@acme.test';

async function open(search: string, seeded: () => Promise<TestPortal> = testPortal) {
  portal = await seeded();
  stubPageWidth(true);
  await visitSignedIn(
    portal,
    ADMIN,
    `${paths.manageUsers}${search}`,
    <Routes>
      <Route path={paths.manageUsers} element={<ManageUsersScreen />} />
      <Route path={paths.member(':id')} element={<h1>A member</h1>} />
    </Routes>,
  );
  await screen.findByRole('list', { name: 'Members' });
}

const link = (name: string) => screen.getByRole('link', { name });
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` });
const preview = (name: string) => screen.findByRole('region', { name: `Preview of ${name}` });
/** Clicks a card beside its controls. */
const clickCard = (name: string) => user.click(within(link(name).closest('li') as HTMLElement).getByText('Org User'));
const focused = () => document.activeElement?.textContent;

test('previews a member beside the list, with their code, devices and sign-ins', async () => {
  await open('?q=mar');
  await clickCard('Mara Lindholm');
  const mara = within(await preview('Mara Lindholm'));
  await mara.findByRole('region', { name: 'Mobile activation code' });
  mara.getByText('None yet. The code above registers the first one.');
  expect(await mara.findByText('No sign-ins yet')).toBeDefined();
  expect(new URLSearchParams(window.location.search).get('peek')).toBeTruthy();
  await clickCard('Marcus Oyelaran');
  const marcus = within(await preview('Marcus Oyelaran'));
  await waitFor(() => expect(marcus.getByRole('region', { name: 'Devices' }).textContent).toContain('iPhone 16'));
  expect(marcus.queryByRole('region', { name: 'Mobile activation code' })).toBeNull();
  await user.click(marcus.getByRole('link', { name: 'Open full profile' }));
  await screen.findByRole('heading', { name: 'A member' });
  await act(() => window.history.back());
  await preview('Marcus Oyelaran');
});

test('moves the preview with the arrow keys and returns to the list on Escape', async () => {
  await open('?q=mar&sort=firstName');
  await clickCard('Mara Lindholm');
  expect(document.activeElement).toBe(await preview('Mara Lindholm'));
  await user.keyboard('{ArrowDown}');
  await preview('Marcus Oyelaran');
  await user.keyboard('{ArrowUp}');
  await preview('Mara Lindholm');
  screen.getByText('2 of 7');
  await user.keyboard('x');
  expect(box('Mara Lindholm').checked).toBe(true);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('region', { name: /^Preview/ })).toBeNull();
  expect(document.activeElement).toBe(link('Mara Lindholm'));
});

test('opens the page on a click on the name, and has no preview on a narrow page', async () => {
  await open('?q=mar');
  stubPageWidth(false);
  await user.click(link('Mara Lindholm'));
  await screen.findByRole('heading', { name: 'A member' });
  await act(() => window.history.back());
  await screen.findByRole('list', { name: 'Members' });
  await user.click(screen.getByText('Security Admin'));
  expect(screen.queryByRole('region', { name: /^Preview/ })).toBeNull();
});

test('explains why a preview is missing data, and retries', { tags: 'whole' }, async () => {
  await open('?q=mar');
  await portal.lab.fault({ method: 'GET', path: '/user', times: 2 });
  await clickCard('Mara Lindholm');
  const mara = within(await preview('Mara Lindholm'));
  await user.click(await mara.findByRole('button', { name: 'Retry' }));
  await mara.findByRole('region', { name: 'Mobile activation code' });
});

test('moves, selects and previews with single keys', async () => {
  await open('?q=mar&sort=firstName');
  await user.keyboard('j');
  expect(focused()).toBe('Amara Okafor');
  await user.keyboard('jj');
  expect(focused()).toBe('Marcus Oyelaran');
  await user.keyboard('kx');
  expect(focused()).toBe('Mara Lindholm');
  expect(box('Mara Lindholm').checked).toBe(true);
  await user.keyboard(' ');
  await preview('Mara Lindholm');
  await user.keyboard('{Escape}{Enter}');
  await screen.findByRole('heading', { name: 'A member' });
});

test('leaves letters to fields, and to the page if single-key shortcuts are off', async () => {
  await open('?q=mar&sort=firstName');
  await user.click(screen.getByRole('searchbox', { name: 'Search members' }));
  await user.keyboard('j');
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search members' }));
  act(() => (document.activeElement as HTMLElement).blur());
  setShortcutsOn(false);
  await user.keyboard('j');
  expect(document.activeElement).toBe(document.body);
});

test('highlights what the search has matched, in the searched field only', async () => {
  await open('?q=lin&by=lastName');
  const marked = () => [...document.querySelectorAll('mark')].map(({ textContent }) => textContent);
  expect(marked()).toContain('Lin');
  for (const mark of document.querySelectorAll('mark')) expect(mark.closest('a')).not.toBeNull();
});

test('shares one menu among all cards and returns the focus to its button', async () => {
  await open('?q=mar');
  const button = screen.getByRole('button', { name: 'Actions for Mara Lindholm' });
  await user.click(button);
  await screen.findByRole('menu', { name: 'Actions for Mara Lindholm' });
  expect(button.getAttribute('aria-expanded')).toBe('true');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button));
  await user.click(screen.getByRole('button', { name: 'Actions for Marcus Oyelaran' }));
  await screen.findByRole('menu', { name: 'Actions for Marcus Oyelaran' });
  expect(screen.getAllByRole('menu', { hidden: true })).toHaveLength(1);
});

/** Lays the cards of the list out below each other, 100 px each, in a window scrolled by `scrolled`. */
function stubLayout(scrolled: { y: number }) {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const list = this.closest<HTMLElement>('ul[aria-label=Members]');
    if (!list) return new DOMRect();
    const before = Number.parseFloat(list.style.paddingTop) || 0;
    const at = this === list ? 0 : before + [...list.children].indexOf(this) * 100;
    return new DOMRect(0, at - scrolled.y, 300, 100);
  });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
      unobserve() {}
    },
  );
}

test('renders a constant number of cards however many are loaded', async () => {
  const people = Array.from({ length: 140 }, (_, at) => ({
    email: `p${at}@acme.test`,
    firstName: 'Pat',
    lastName: `No${String(at).padStart(3, '0')}`,
  }));
  const admin = {
    email: ADMIN,
    firstName: 'Ann',
    lastName: 'Ek',
    role: 'SUPER_ADMIN',
    devices: [{ type: 'mobile' as const }],
  };
  const scrolled = { y: 0 };
  stubLayout(scrolled);
  let see = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        see = () => callback([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {
        see = () => {};
      }
    },
  );
  await open('?q=pat&by=firstName', async () => {
    const empty = await testPortal({ seed: 'none' });
    await empty.lab.reset({ seed: { organisations: [{ code: 'acme', people: [admin, ...people] }] } });
    return empty;
  });
  const cards = () => within(screen.getByRole('list', { name: 'Members' })).getAllByRole('listitem');
  for (const loaded of [40, 60, 80, 100, 120, 140]) {
    await screen.findByText(new RegExp(`^${loaded - 20} of 140`));
    act(() => see());
    await screen.findByText(new RegExp(`^${loaded}( of 140)? members`));
    scrolled.y = loaded * 100;
    act(() => window.dispatchEvent(new Event('scroll')));
  }
  const rendered = Math.ceil(window.innerHeight / 100) + 10;
  expect(cards()).toHaveLength(rendered);
  expect(cards().at(-1)?.getAttribute('aria-posinset')).toBe('140');
  scrolled.y = 5_000;
  act(() => window.dispatchEvent(new Event('scroll')));
  expect(cards()).toHaveLength(rendered);
  expect(cards()[0]?.getAttribute('aria-posinset')).toBe('46');
  expect(cards()[0]?.getAttribute('aria-setsize')).toBe('140');
});
