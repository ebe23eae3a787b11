import type { SaxesTagNS } from 'saxes';
import { CSS_FUNCTIONS, SVG_ATTRIBUTES, SVG_ELEMENTS, SVG_PLAIN_ATTRIBUTES, SVG_WRAPPERS } from './svg-allowlist.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';

const ELEMENTS_MAX = 5_000;
const DEPTH_MAX = 50;

/** The message tells people why a file cannot be a logo. */
export class SvgRefused extends Error {}

/**
 * An SVG reduced to what a logo may contain (`svg-allowlist.ts`): anything not on the list is left out, with everything
 * in it. The result is serialised again, in one namespace, so that browsers read exactly what was checked.
 * @throws SvgRefused for what is not well-formed, has a DOCTYPE, is not an SVG, or would grow while it is drawn
 */
export async function sanitiseSvg(text: string): Promise<string> {
  const { SaxesParser } = await import('saxes');
  const writer = new SvgWriter();
  const parser = new SaxesParser({ xmlns: true });
  // Thrown immediately: after its first error a parser would try to continue.
  parser.on('error', () => {
    throw new SvgRefused('This SVG is not well-formed');
  });
  parser.on('doctype', () => {
    throw new SvgRefused('An SVG with a DOCTYPE is not accepted');
  });
  parser.on('opentag', (tag) => writer.open(tag));
  parser.on('closetag', () => writer.close());
  parser.on('text', (content) => writer.text(content));
  parser.on('cdata', (content) => writer.text(content));
  parser.write(text).close();
  return writer.result();
}

interface OpenElement {
  /** Undefined for a wrapper. */
  name: string | undefined;
  id: string | undefined;
}

class SvgWriter {
  readonly #parts: string[] = [];
  readonly #open: OpenElement[] = [];
  /** Current depth inside a part that is left out. */
  #skipped = 0;
  #elements = 0;
  /** The text of an open `style`, which is checked as a whole. */
  #css: string | undefined;
  /** Ids that are drawn again elsewhere, and ids of elements that draw others again. */
  readonly #drawn = new Set<string>();
  readonly #drawing = new Set<string>();

  open({ local, uri, attributes }: SaxesTagNS): void {
    this.#elements += 1;
    const depth = this.#open.length + this.#skipped;
    if (this.#elements > ELEMENTS_MAX || depth > DEPTH_MAX) throw tooIntricate();
    if (depth === 0 && (uri !== SVG || local !== 'svg')) throw new SvgRefused('This is not an SVG file');
    const isOurs = this.#skipped === 0 && uri === SVG && this.#css === undefined;
    if (isOurs && SVG_WRAPPERS.has(local)) this.#open.push({ name: undefined, id: undefined });
    else if (isOurs && SVG_ELEMENTS.has(local)) this.#write(local, attributes);
    else this.#skipped += 1;
  }

  #write(name: string, attributes: SaxesTagNS['attributes']): void {
    const kept = Object.values(attributes).flatMap(keptAttribute);
    const id = kept.find((attribute) => attribute.name === 'id')?.value;
    this.#open.push({ name, id });
    if (name === 'style') {
      this.#css = '';
      return;
    }
    if (name === 'use') this.#note(kept.find((attribute) => attribute.name === 'href')?.value);
    const root = this.#parts.length === 0 ? ` xmlns="${SVG}"` : '';
    const written = kept.map((attribute) => ` ${attribute.name}="${escaped(attribute.value)}"`).join('');
    this.#parts.push(`<${name}${root}${written}>`);
  }

  #note(href = ''): void {
    this.#drawn.add(href.slice(1));
    for (const { id } of this.#open) if (id !== undefined) this.#drawing.add(id);
  }

  text(content: string): void {
    if (this.#skipped > 0 || this.#open.length === 0) return;
    if (this.#css === undefined) this.#parts.push(escaped(content));
    else this.#css += content;
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const { name } = this.#open.pop() ?? {};
    if (name === 'style') this.#closeStyle();
    else if (name !== undefined) this.#parts.push(`</${name}>`);
  }

  #closeStyle(): void {
    const css = (this.#css ?? '').replace(/\/\*.*?\*\//gs, ' ');
    this.#css = undefined;
    if (isHarmlessCss(css)) this.#parts.push(`<style>${escaped(css)}</style>`);
  }

  result(): string {
    // Copies of copies of copies: a few lines that take a browser hours to draw.
    for (const id of this.#drawing) if (this.#drawn.has(id)) throw tooIntricate();
    return this.#parts.join('');
  }
}

const tooIntricate = () => new SvgRefused('This SVG is too complex for a logo');

function keptAttribute({ local, prefix, uri, value }: SaxesTagNS['attributes'][string]) {
  const isLink = local === 'href' && (uri === XLINK || prefix === '');
  if (isLink) return /^#[\w.-]+$/.test(value) ? [{ name: 'href', value }] : [];
  if (prefix !== '' || !SVG_ATTRIBUTES.has(local)) return [];
  return SVG_PLAIN_ATTRIBUTES.has(local) || isHarmlessCss(value) ? [{ name: local, value }] : [];
}

/**
 * Whether style loads nothing and runs nothing: no importing rule, no escape that could hide one, no unknown function,
 * no comment that could split a name, and `url()` only for targets in the same file.
 */
export function isHarmlessCss(css: string): boolean {
  if (/[@\\<]|\/\*|javascript:/i.test(css)) return false;
  const withoutOwn = css.replace(/\burl\(\s*(?:#[\w.-]+|'#[\w.-]+'|"#[\w.-]+")\s*\)/gi, ' ');
  const functions = withoutOwn.matchAll(/([\w-]*)\s*\(/g);
  return [...functions].every(([, name = '']) => CSS_FUNCTIONS.has(name.toLowerCase()));
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
