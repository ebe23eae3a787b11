import { render, screen, waitFor } from '@testing-library/react';
import { useRef, useState } from 'react';
import { expect, test } from 'vitest';
import { user } from '#testing.ts';
import { useFocusRecovery } from './focus.ts';

function Page({ names }: { names: string[] }) {
  const main = useRef<HTMLElement>(null);
  const [left, setLeft] = useState(names);
  useFocusRecovery(main);
  return (
    <main ref={main} tabIndex={-1}>
      <h1>People</h1>
      {left.length > 0 && (
        <ul>
          {left.map((name) => (
            <li key={name}>
              <a href={`#${name}`}>{name}</a>
              <button
                type="button"
                onClick={() => setLeft(left.filter((one) => one !== name))}
              >{`Delete ${name}`}</button>
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}

const remove = (name: string) => user.click(screen.getByRole('button', { name: `Delete ${name}` }));
const expectFocus = (text: string) => waitFor(() => expect(document.activeElement?.textContent).toBe(text));

test('moves focus from a removed row to a remaining row, or to the heading if none remains', async () => {
  render(<Page names={['Ada', 'Bo', 'Cy']} />);
  await remove('Bo');
  await expectFocus('Delete Cy');
  await remove('Cy');
  await expectFocus('Delete Ada');
  await remove('Ada');
  await expectFocus('People');
});

function Opening() {
  const main = useRef<HTMLElement>(null);
  const [menu, setMenu] = useState<'open' | 'closed'>();
  useFocusRecovery(main);
  return (
    <main ref={main} tabIndex={-1}>
      <button type="button" onClick={() => setMenu('open')}>
        Actions
      </button>
      {menu === 'closed' && <p>Done</p>}
      <div role="menu" data-state={menu} hidden={menu !== 'open'}>
        <button type="button" role="menuitem" onClick={() => setMenu('closed')}>
          Edit
        </button>
      </div>
    </main>
  );
}

test('focuses the menu button if a menu closes without returning the focus', async () => {
  render(<Opening />);
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  const item = screen.getByRole('menuitem');
  await user.click(item);
  // Browsers blur hidden elements, but jsdom doesn't, so blur the item explicitly.
  item.blur();
  await expectFocus('Actions');
});
