import { ChakraProvider } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';
import { render, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { drag, user } from '#testing.ts';
import { system } from '#theme.ts';
import { FileDrop } from './file-drop.tsx';

function Form() {
  const [file, setFile] = useState<File>();
  return (
    <ChakraProvider value={system}>
      <FileDrop label="Logo" formats={['PNG', 'SVG']} file={file} onFile={setFile} />
    </ChakraProvider>
  );
}

beforeEach(() => void render(<Form />));

const fileOf = (name: string, bytes: number) => Object.defineProperty(new File([], name), 'size', { value: bytes });
const choose = (file: File) => user.upload(screen.getByLabelText('Logo', { selector: 'input' }), file);
const zone = () => screen.getByText('PNG, SVG up to 100 MB').parentElement ?? document.body;

// covers: spec 1.3.15, spec 2.4.9
test('accepts allowed file types in any letter case and displays the file size', async () => {
  await choose(fileOf('LOGO.Svg', 1_536));
  expect(screen.getByText('LOGO.Svg')).toBeTruthy();
  expect(screen.getByText('1.5 KB')).toBeTruthy();
});

// covers: spec 2.4.9, spec 2.5.20
test('rejects other file types with a message', async () => {
  await choose(fileOf('logo.svg.exe', 10));
  expect(screen.getByRole('alert').textContent).toBe('Only PNG, SVG files are allowed');
  expect(screen.getByRole('button', { name: 'File not supported. Retry' })).toBeTruthy();
});

// covers: spec 1.5.11, spec 2.5.20
test('limits files to 100 MB by default', async () => {
  await choose(fileOf('logo.png', LIMITS.fileDropBytes + 1));
  expect(screen.getByRole('alert').textContent).toBe('File is larger than 100 MB');
  expect(screen.getByRole('button', { name: 'Choose another file' })).toBeTruthy();
  expect(screen.queryByText(/not supported/)).toBeNull();
  await choose(fileOf('logo.png', LIMITS.fileDropBytes));
  expect(screen.getByText('100 MB')).toBeTruthy();
});

test('rejects an empty file of any type', async () => {
  await choose(fileOf('logo.png', 0));
  expect(screen.getByRole('alert').textContent).toBe('The file is empty');
  expect(screen.getByRole('button', { name: 'Choose another file' })).toBeTruthy();
});

// covers: spec 2.4.9
test('prompts the user to drop a file that is dragged over the field', () => {
  drag('dragenter', zone());
  expect(screen.getByText('Drop the file here')).toBeTruthy();
  drag('dragleave', zone());
  expect(screen.queryByText('Drop the file here')).toBeNull();
});
