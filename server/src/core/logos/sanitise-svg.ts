import type { SaxesParser, SaxesTagNS } from 'saxes';
import type { CssReport, SelectedElement } from './sanitise-css.ts';
import {
  SVG_ATTRIBUTES,
  SVG_ELEMENTS,
  SVG_INERT_ATTRIBUTES,
  SVG_INERT_ELEMENTS,
  SVG_PLAIN_ATTRIBUTES,
} from './svg-allowlist.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XHTML = 'http://www.w3.org/1999/xhtml';
const XML = 'http://www.w3.org/XML/1998/namespace';

const ELEMENTS_MAX = 5_000;
const DEPTH_MAX = 50;
/** Maximum number of drawn elements, including every copy made by a `use`, marker or filter. */
const DRAWN_MAX = 50_000;
/** Maximum total length of all expanded entities, in characters. */
const ENTITY_TEXT_MAX = 1_000_000;
const DOCTYPE_MAX = 20_000;
/** Maximum number of CSS tokens across all styles and attributes with functions. */
const CSS_TOKENS_MAX = 150_000;
/** Maximum product of style sheet references and the elements they can apply to. */
const STYLED_MAX = 2_000_000;
const REMOVED_MAX = 20;

/** Matches comments, processing instructions and document type declarations. */
const DECLARATIONS = /<!--.*?-->|<\?.*?\?>|<!([A-Z]+)((?:[^"'<>]|"[^"]*"|'[^']*')*)>/gs;

/** Thrown if a file can't be used as a logo. The message is shown to users. */
export class SvgRefused extends Error {}

export interface SanitisedSvg {
  text: string;
  /** Names of removed items that users might miss: `<script>`, `onload`, `@import`. */
  removed: string[];
}

/** Returns an embedded image as a data URI, or undefined to remove it. */
export type EmbedImage = (bytes: Buffer) => Promise<string | undefined>;

/**
 * Removes everything from an SVG that isn't on the allowlist (`svg-allowlist.ts`), including its contents. Serialises
 * the result in a single namespace, which makes browsers parse exactly what was checked. From the document type, only
 * plain-text entities are used.
 * @throws SvgRefused for a file that isn't well-formed, isn't an SVG, or would be too expensive to draw
 */
export async function sanitiseSvg(text: string, embedPicture: EmbedImage): Promise<SanitisedSvg> {
  const { SaxesParser } = await import('saxes');
  const writer = new SvgWriter(await import('./sanitise-css.ts'));
  const parser = new SaxesParser({ xmlns: true });
  // The parser continues after errors unless the handler throws.
  parser.on('error', ({ message }) => {
    throw new SvgRefused(malformed(message));
  });
  parser.on('doctype', (doctype) => declareEntities(parser, doctype));
  parser.on('opentag', (tag) => writer.open(tag));
  parser.on('closetag', () => writer.close());
  parser.on('text', (content) => writer.text(content));
  parser.on('cdata', (content) => writer.text(content));
  parser.write(text.trimStart()).close();
  return writer.result(embedPicture);
}

/** Converts a parser error to a message for users. @param message starts with line and column */
function malformed(message: string): string {
  const [, line = '1', what = message] = /^(\d+):\d+: (.*)$/s.exec(message) ?? [];
  const prefix = /^unbound namespace prefix: "([^"]*)/.exec(what)?.[1];
  if (prefix !== undefined) return `This SVG does not declare the prefix “${prefix.slice(0, 40)}” (line ${line})`;
  if (what.startsWith('undefined entity')) return `This SVG uses an undefined entity (line ${line})`;
  return `This SVG is not well-formed (line ${line})`;
}

/**
 * Defines the document type's entities for the parser. Illustrator uses entities for namespaces and styles. They must
 * be plain text: they can't load anything or contain other entities.
 */
function declareEntities({ ENTITIES }: SaxesParser<{ xmlns: true }>, doctype: string): void {
  if (/^\s*html\b/i.test(doctype)) throw new SvgRefused('This is not an SVG file');
  if (doctype.length > DOCTYPE_MAX) throw new SvgRefused('The document type of this SVG is too long');
  let length = 0;
  for (const [, kind, body = ''] of doctype.matchAll(DECLARATIONS)) {
    const [, name, double, single] = /^\s+([^\s%]+)\s+(?:"([^"]*)"|'([^']*)')\s*$/.exec(body) ?? [];
    if (kind !== 'ENTITY' || name === undefined) continue;
    // The first declaration wins (XML 1.0 §4.2), and XML's predefined entities come first, so skip later
    // declarations.
    if (name in ENTITIES) continue;
    const value = (double ?? single ?? '').replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, characterOf);
    Object.defineProperty(ENTITIES, name, {
      get: () => {
        if (/[<&]/.test(value)) throw new SvgRefused(`The entity “${name.slice(0, 40)}” in this SVG is not plain text`);
        length += value.length;
        if (length > ENTITY_TEXT_MAX) throw new SvgRefused('The entities in this SVG expand to too much text');
        return value;
      },
    });
  }
}

/** Decodes a character reference. An invalid reference becomes `&`, which is refused later. */
function characterOf(_reference: string, hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter = code >= 32 && code <= 0xfffd && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter || code === 9 || code === 10 || code === 13 ? String.fromCodePoint(code) : '&';
}

/** An element and the cost of drawing it with its contents. */
interface Drawing {
  elements: number;
  /** Number of points on the element's own lines. Browsers draw a marker at each point. */
  points: number;
  children: Drawing[];
  /** IDs of the elements that are drawn again for this element. */
  draws: { id: string; isUrl: boolean }[];
  /** Undefined until computed. `PENDING` during the computation, to detect cycles. */
  cost?: DrawingCost;
}

interface DrawingCost {
  weight: number;
  /** Number of points, including those in children and copies, which inherit the element's markers. */
  points: number;
}

const PENDING: DrawingCost = { weight: 0, points: 0 };

interface OpenElement extends Drawing {
  name: string;
  /** Name of a filter step's result. */
  result?: string | undefined;
}

/** Elements that a `url()` draws. Gradients are omitted because they don't contain drawings. */
const DRAWN_BY_URL = new Set(['pattern', 'mask', 'clipPath', 'marker', 'filter']);

/** Computes the cost of the open filter. Browsers redraw a step's inputs for every use. */
class FilterCost {
  readonly #results = new Map<string, number>();
  #last = 1;
  #step = 0;

  /** Starts the next filter step. */
  begin(inputs: readonly (string | undefined)[]): void {
    this.#step = 1;
    for (const input of inputs) this.addInput(input);
  }

  addInput(name: string | undefined): void {
    this.#step += name === undefined ? this.#last : (this.#results.get(name) ?? 1);
  }

  end(result: string | undefined): void {
    this.#last = this.#step;
    if (result !== undefined) this.#results.set(result, this.#step);
  }

  /** Cost of the last step, which is the only one drawn. */
  get total(): number {
    return this.#last;
  }
}

class SvgWriter {
  readonly #css: typeof import('./sanitise-css.ts');
  readonly #parts: string[] = [];
  readonly #open: OpenElement[] = [];
  /** Nesting depth inside the removed element. */
  #skipped = 0;
  #elements = 0;
  /** Text of the open `style` element, checked when the element closes. */
  #styleText: string | undefined;
  readonly #byId = new Map<string, { name: string; drawing: Drawing }>();
  /** Style sheet references, and all elements their selectors can match. */
  readonly #styled: { selected: SelectedElement[]; id: string }[] = [];
  readonly #elementsToStyle: { drawing: Drawing; element: SelectedElement }[] = [];
  #filter: FilterCost | undefined;
  #root: Drawing | undefined;
  /** Positions of embedded images, which are checked asynchronously. */
  readonly #pictures: { part: number; bytes: Buffer }[] = [];
  readonly #removed = new Set<string>();
  #cssTokens = 0;
  readonly #report: CssReport = {
    removed: (what) => this.#removed.add(what),
    spend: () => {
      this.#cssTokens += 1;
      if (this.#cssTokens > CSS_TOKENS_MAX) throw stylesTooLong();
    },
  };

  constructor(css: typeof import('./sanitise-css.ts')) {
    this.#css = css;
  }

  open({ local, uri, attributes }: SaxesTagNS): void {
    this.#elements += 1;
    const depth = this.#open.length + this.#skipped;
    if (this.#elements > ELEMENTS_MAX) throw new SvgRefused(`A logo can have at most ${ELEMENTS_MAX} elements`);
    if (depth > DEPTH_MAX) throw new SvgRefused(`Elements in a logo can be nested at most ${DEPTH_MAX} levels deep`);
    if (depth === 0 && (uri !== SVG || local !== 'svg')) throw new SvgRefused('This is not an SVG file');
    const isOurs = this.#skipped === 0 && uri === SVG && this.#styleText === undefined;
    if (isOurs && SVG_ELEMENTS.has(local)) this.#write(local, Object.values(attributes));
    else this.#skip(local, uri, attributes);
  }

  /** Skips an element. Editor data (other namespaces and extensions) is dropped without being reported. */
  #skip(local: string, uri: string, attributes: SaxesTagNS['attributes']): void {
    const isVisible = uri === SVG ? !SVG_INERT_ELEMENTS.has(local) : uri === XHTML;
    if (this.#skipped === 0 && isVisible && !('requiredExtensions' in attributes)) this.#removed.add(`<${local}>`);
    this.#skipped += 1;
  }

  #write(name: string, attributes: SaxesTagNS['attributes'][string][]): void {
    if (name === 'style') {
      this.#openStyle(attributes);
      return;
    }
    const element: OpenElement = { name, elements: 1, points: pointsIn(name, attributes), children: [], draws: [] };
    const report = { ...this.#report, refersTo: (id: string) => this.#refer(element, id, true) };
    const address = attributes.find(isLink)?.value.trim();
    if (name === 'image' && !this.#embed(address)) {
      this.#skipped += 1;
      return;
    }
    const allowed = attributes.flatMap((attribute) =>
      isLink(attribute) ? [] : this.#keptAttribute(attribute, report),
    );
    if (address !== undefined && name !== 'image') {
      if (isOwnAddress(address) && name !== 'a') allowed.push({ name: 'href', value: address });
      // Links don't work in images, so removing an `a` element's link isn't reported.
      else if (name !== 'a') this.#removed.add(`<${name} href>`);
    }
    if (name === 'use' && address !== undefined && isOwnAddress(address)) this.#refer(element, address.slice(1), false);
    const sanitisedValueOf = (attribute: string) => allowed.find((each) => each.name === attribute)?.value;
    const id = sanitisedValueOf('id');
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, { name, drawing: element });
    const classes = sanitisedValueOf('class')?.split(/\s+/) ?? [];
    if (!name.startsWith('fe')) this.#elementsToStyle.push({ drawing: element, element: { type: name, id, classes } });
    this.#openFilterStep(name, sanitisedValueOf);
    element.result = sanitisedValueOf('result');
    this.#root ??= element;
    this.#open.push(element);
    const root = this.#parts.length === 0 ? ` xmlns="${SVG}"` : '';
    const written = allowed.map((attribute) => ` ${attribute.name}="${escaped(attribute.value)}"`).join('');
    this.#parts.push(`<${name}${root}${written}`);
    if (name === 'image') this.#parts.push('');
    this.#parts.push('>');
  }

  #openFilterStep(name: string, attributeOf: (name: string) => string | undefined): void {
    const parent = this.#open.at(-1)?.name;
    if (name === 'filter') this.#filter = new FilterCost();
    else if (parent === 'filter') {
      // The inputs of `feMerge` are its children, so they are added when each child is opened.
      const isMerge = name === 'feMerge';
      const hasTwo = attributeOf('in2') !== undefined || TWO_INPUTS.has(name);
      this.#filter?.begin(isMerge ? [] : [attributeOf('in'), ...(hasTwo ? [attributeOf('in2')] : [])]);
      if (!isMerge) this.#filter?.end(attributeOf('result'));
    } else if (parent === 'feMerge') {
      this.#filter?.addInput(attributeOf('in'));
    }
  }

  /** Records a reference to another element. Browsers decode percent-encoded IDs, too. */
  #refer({ draws }: Drawing, id: string, isUrl: boolean): void {
    draws.push({ id, isUrl });
    const decoded = percentDecoded(id);
    if (decoded !== id) draws.push({ id: decoded, isUrl });
  }

  /** Returns true if an address is a data URI with an image, and records the image for checking. */
  #embed(address = ''): boolean {
    const content = /^data:image\/(?!svg)[^,]*;base64,([A-Za-z\d+/=\s]+)$/i.exec(address)?.[1];
    if (content === undefined) {
      if (address !== '') this.#removed.add(`<image> ${shortened(address)}`);
      return false;
    }
    this.#pictures.push({ part: this.#parts.length + 1, bytes: Buffer.from(content, 'base64') });
    return true;
  }

  #keptAttribute({ local, prefix, uri, value }: SaxesTagNS['attributes'][string], report: CssReport) {
    if (uri === XML && local === 'space') return [{ name: 'xml:space', value }];
    if (prefix !== '') return [];
    if (!SVG_ATTRIBUTES.has(local)) {
      if (!SVG_INERT_ATTRIBUTES.test(local)) report.removed(local);
      return [];
    }
    if (local === 'style') return [{ name: local, value: this.#css.sanitiseDeclarations(value, report) }];
    // A value without parentheses, escapes and comments contains only words and numbers, so it isn't sanitised.
    const isPlain = SVG_PLAIN_ATTRIBUTES.has(local) || !/[(\\]|\/\*/.test(value);
    const sanitised = isPlain ? value : this.#css.sanitiseValue(value, report);
    return sanitised === undefined ? [] : [{ name: local, value: sanitised }];
  }

  #openStyle(attributes: SaxesTagNS['attributes'][string][]): void {
    const attributeOf = (name: string) =>
      attributes.find(({ local, prefix }) => prefix === '' && local === name)?.value;
    const isCss = /^(?:text\/css)?$/i.test(attributeOf('type')?.trim() ?? '');
    if (!isCss) {
      this.#skipped += 1;
      return;
    }
    this.#open.push({ name: 'style', elements: 1, points: 0, children: [], draws: [] });
    const media = attributeOf('media');
    this.#parts.push(media === undefined ? '<style>' : `<style media="${escaped(media)}">`);
    this.#styleText = '';
  }

  text(content: string): void {
    if (this.#skipped > 0 || this.#open.length === 0) return;
    if (this.#styleText === undefined) this.#parts.push(escaped(content));
    else this.#styleText += content;
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const closed = this.#open.pop();
    if (!closed) return;
    this.#open.at(-1)?.children.push(closed);
    if (closed.name === 'filter') closed.elements += this.#filter?.total ?? 0;
    if (closed.name === 'feMerge') this.#filter?.end(closed.result);
    if (closed.name === 'style') this.#closeStyle();
    else this.#parts.push(`</${closed.name}>`);
  }

  #closeStyle(): void {
    const refersTo = (id: string, selected: SelectedElement[] = []) => this.#styled.push({ selected, id });
    const css = this.#css.sanitiseStyleSheet(this.#styleText ?? '', { ...this.#report, refersTo });
    this.#styleText = undefined;
    if (css === '') this.#parts.pop();
    else this.#parts.push(escaped(css), '</style>');
  }

  async result(embedPicture: EmbedImage): Promise<SanitisedSvg> {
    this.#referByStyles();
    if (this.#root && this.#costOf(this.#root).weight > DRAWN_MAX) throw tooManyCopies();
    for (const { part, bytes } of this.#pictures) {
      const address = await embedPicture(bytes);
      if (address === undefined) this.#removed.add('<image>');
      else this.#parts[part] = ` href="${address}"`;
    }
    return { text: this.#parts.join(''), removed: [...this.#removed].slice(0, REMOVED_MAX).map(shortened) };
  }

  #referByStyles(): void {
    if (this.#styled.length * this.#elementsToStyle.length > STYLED_MAX) throw stylesTooLong();
    for (const { selected, id } of this.#styled) {
      for (const { drawing, element } of this.#elementsToStyle) {
        if (selected.some((each) => isSelected(element, each))) this.#refer(drawing, id, true);
      }
    }
  }

  /** Computes a drawing's cost. A few lines with nested copies can take a browser hours to draw. */
  #costOf(drawing: Drawing): DrawingCost {
    if (drawing.cost === PENDING) throw new SvgRefused('An element in this SVG contains a copy of itself');
    if (drawing.cost) return drawing.cost;
    drawing.cost = PENDING;
    let { elements: weight, points } = drawing;
    const add = (cost: DrawingCost, times: number) => {
      weight += cost.weight * times;
      if (weight > DRAWN_MAX) throw tooManyCopies();
    };
    for (const child of drawing.children) {
      const cost = this.#costOf(child);
      add(cost, 1);
      points += cost.points;
    }
    const drawn = drawing.draws.flatMap(({ id, isUrl }) => {
      const target = this.#byId.get(id);
      return target && (!isUrl || DRAWN_BY_URL.has(target.name)) ? { ...target, isUrl } : [];
    });
    // Markers come last because they are also drawn at the points of copies.
    const isMarker = ({ name, isUrl }: (typeof drawn)[number]) => isUrl && name === 'marker';
    for (const target of drawn.filter((each) => !isMarker(each))) {
      const cost = this.#costOf(target.drawing);
      add(cost, 1);
      if (!target.isUrl) points += cost.points;
    }
    for (const target of drawn.filter(isMarker)) add(this.#costOf(target.drawing), points);
    drawing.cost = { weight, points };
    return drawing.cost;
  }
}

const TWO_INPUTS = new Set(['feBlend', 'feComposite', 'feDisplacementMap']);

/** Returns an upper bound for the number of points on a line. Each point has at least one number. */
function pointsIn(name: string, attributes: readonly SaxesTagNS['attributes'][string][]): number {
  if (name === 'line') return 2;
  const drawn = attributes.find(({ local, prefix }) => prefix === '' && (local === 'd' || local === 'points'));
  return drawn?.value.match(/\d*\.?\d+/g)?.length ?? 0;
}

/** Returns true if a selector can match an element. */
const isSelected = (element: SelectedElement, { type, id, classes }: SelectedElement): boolean =>
  (type === undefined || type === element.type) &&
  (id === undefined || id === element.id) &&
  classes.every((name) => element.classes.includes(name));

const stylesTooLong = () => new SvgRefused('The styles in this SVG are too long for a logo');
const tooManyCopies = () => new SvgRefused(`A logo can have at most ${DRAWN_MAX} elements, including all copies`);

const isLink = ({ local, prefix, uri }: SaxesTagNS['attributes'][string]): boolean =>
  local === 'href' && (uri === XLINK || prefix === '');

/** Returns true if an address points into the same file, i.e. starts with `#` (RFC 3986 §4.4). */
const isOwnAddress = (address: string): boolean => /^#[^\p{Cc}]+$/u.test(address);

function percentDecoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
