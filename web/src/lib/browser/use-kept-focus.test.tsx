import { render, screen, waitFor } from '@testing-library/react';
import { useRef, useState } from 'react';
import { expect, test } from 'vitest';
import { user } from '#testing.ts';
import { useKeptFocus } from './focus.ts';

function Page({ names }: { names: string[] }) {
  const main = useRef<HTMLElement>(null);
  const [left, setLeft] = useState(names);
  useKeptFocus(main);
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

test('where a row disappears, the same control of the next row takes the focus, at last the heading', async () => {
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
  useKeptFocus(main);
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

test('where a menu closes without giving the focus back, what opened it has it', async () => {
  render(<Opening />);
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  const item = screen.getByRole('menuitem');
  await user.click(item);
  // A browser takes the focus from what is hidden.
  item.blur();
  await expectFocus('Actions');
});
