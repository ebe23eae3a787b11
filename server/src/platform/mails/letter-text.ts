import type { Block, Brand, Letter } from './letter.ts';

/** A letter as plain text. */
export function letterText({ name }: Brand, { greeting, blocks }: Letter): string {
  return `${[greeting, ...blocks.map(textOf), name].join('\n\n')}\n`;
}

function textOf(block: Block): string {
  if (block.kind === 'code') return block.code;
  return block.kind === 'link' ? `${block.label}:\n${block.href}` : block.text;
}
