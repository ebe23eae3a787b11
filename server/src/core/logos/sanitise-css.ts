import { type CSSToken, TokenType, tokenizer } from '@csstools/css-tokenizer';
import { CSS_AT_RULES, CSS_FUNCTIONS } from './svg-allowlist.ts';

/** An element that a selector matches. Without a type, ID or classes, any element. */
export interface SelectedElement {
  type: string | undefined;
  id: string | undefined;
  classes: string[];
}

/** Callbacks for the sanitiser's findings. */
export interface CssReport {
  /** Called with the name of each removed item: `@import`, `url(https://…)`, `image-set()`. */
  removed(name: string): void;
  /** Called with the ID in a `url()` and, in a style sheet, the elements that the rule matches. */
  refersTo?(id: string, selected?: SelectedElement[]): void;
  /** Called for each token. Throws if the style sheet has too many tokens. */
  spend(): void;
}

type Tokens = readonly CSSToken[];

const CLOSED_BY: Readonly<Record<string, TokenType>> = {
  [TokenType.OpenCurly]: TokenType.CloseCurly,
  [TokenType.OpenParen]: TokenType.CloseParen,
  [TokenType.OpenSquare]: TokenType.CloseSquare,
  [TokenType.Function]: TokenType.CloseParen,
};
const CLOSERS = new Set<TokenType>(Object.values(CLOSED_BY));

/** Properties that could run code in old browsers. */
const RUNNING = new Set(['behavior', '-moz-binding']);
/** CSS property that would override the `d` attribute and bypass the limit on its points. */
const REDRAWING = 'd';

/**
 * Removes rules and declarations from a style sheet if they load or move something. Serialises the result from its
 * tokens, which makes browsers parse exactly what was checked: escapes are resolved, and open blocks are closed.
 */
export const sanitiseStyleSheet = (css: string, report: CssReport): string =>
  blockContents(tokensOf(css, report), report, { isTop: true });

/** Sanitises a `style` attribute's declarations. */
export const sanitiseDeclarations = (css: string, report: CssReport): string =>
  blockContents(tokensOf(css, report), report, {}).replace(/;$/, '');

/** Sanitises one value. Returns undefined if the value must be removed. */
export const sanitiseValue = (css: string, report: CssReport): string | undefined =>
  values(tokensOf(css, report), report);

function tokensOf(css: string, report: CssReport): Tokens {
  const reader = tokenizer({ css });
  const tokens: CSSToken[] = [];
  while (!reader.endOfFile()) {
    const token = reader.nextToken();
    report.spend();
    if (token[0] !== TokenType.EOF) tokens.push(token);
  }
  return tokens;
}

const isBlank = (token: CSSToken | undefined): boolean =>
  token?.[0] === TokenType.Whitespace || token?.[0] === TokenType.Comment;

/** Returns the index after the component value that starts at an index (CSS Syntax 3 §5.5.8). */
function endOfComponent(tokens: Tokens, start: number): number {
  const open: TokenType[] = [];
  let index = start;
  do {
    const type = tokens[index]?.[0];
    const closer = type === undefined ? undefined : CLOSED_BY[type];
    if (closer) open.push(closer);
    else if (type === open.at(-1)) open.pop();
    index += 1;
  } while (open.length > 0 && index < tokens.length);
  return index;
}

/** Returns the index of the first top-level component value of one of these types. */
function find(tokens: Tokens, start: number, types: readonly TokenType[]): number {
  let index = start;
  while (index < tokens.length && !types.includes(tokens[index]?.[0] as TokenType))
    index = endOfComponent(tokens, index);
  return index;
}

/** Maximum nesting depth of rules. Deeper rules are removed. */
const DEPTH_MAX = 16;

interface Context {
  /** True if only rules are allowed, not declarations. */
  isTop?: boolean;
  depth?: number;
  isFontFace?: boolean;
  /** Elements matched by the enclosing rule. */
  selected?: SelectedElement[];
}

/** Sanitises rules and declarations (CSS Syntax 3 §5.5.1, §5.5.4). */
function blockContents(tokens: Tokens, report: CssReport, context: Context): string {
  const skipped: readonly TokenType[] = [
    TokenType.Whitespace,
    TokenType.Comment,
    TokenType.Semicolon,
    TokenType.CDO,
    TokenType.CDC,
  ];
  let output = '';
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (!token || skipped.includes(token[0])) {
      index += 1;
      continue;
    }
    const { text, end } =
      token[0] === TokenType.AtKeyword
        ? atRule(tokens, index, report, context)
        : (declaration(tokens, index, report, context) ?? qualifiedRule(tokens, index, report, context));
    output += text;
    index = end;
  }
  return output;
}

interface Consumed {
  text: string;
  end: number;
}

/** At-rules whose block contains declarations even outside a style rule. */
const DECLARING = new Set(['font-face', 'property']);

function atRule(tokens: Tokens, start: number, report: CssReport, context: Context): Consumed {
  const { isTop = false, depth = 0 } = context;
  const token = tokens[start];
  const name = token?.[0] === TokenType.AtKeyword ? token[4].value.toLowerCase() : '';
  const preludeEnd = find(tokens, start + 1, [TokenType.Semicolon, TokenType.OpenCurly]);
  const isBlock = tokens[preludeEnd]?.[0] === TokenType.OpenCurly;
  const end = isBlock ? endOfComponent(tokens, preludeEnd) : preludeEnd + 1;
  // Drops `@charset`, because the result is always UTF-8.
  if (name === 'charset') return { text: '', end };
  if (!CSS_AT_RULES.has(name) || depth === DEPTH_MAX) {
    report.removed(`@${name}`);
    return { text: '', end };
  }
  const prelude = values(tokens.slice(start + 1, preludeEnd), report, { isPrelude: true });
  if (prelude === undefined) return { text: '', end };
  const head = `@${name}${prelude === '' ? '' : ` ${prelude}`}`;
  if (!isBlock) return { text: name === 'layer' ? `${head};` : '', end };
  const isFontFace = name === 'font-face';
  const within = { ...context, isFontFace, isTop: isTop && !DECLARING.has(name), depth: depth + 1 };
  const contents = blockContents(inside(tokens, preludeEnd, end), report, within);
  const isEmpty = isFontFace ? !/(?:^|;)src:/.test(contents) : contents === '' && name !== 'layer';
  return { text: isEmpty ? '' : `${head}{${contents}}`, end };
}

function qualifiedRule(tokens: Tokens, start: number, report: CssReport, context: Context): Consumed {
  const { isTop, depth = 0 } = context;
  // Inside a block, a semicolon ends everything except a rule.
  const preludeEnd = find(tokens, start, [TokenType.OpenCurly, ...(isTop ? [] : [TokenType.Semicolon])]);
  if (tokens[preludeEnd]?.[0] !== TokenType.OpenCurly) return { text: '', end: preludeEnd + 1 };
  const end = endOfComponent(tokens, preludeEnd);
  const selector = values(tokens.slice(start, preludeEnd), report, { isSelector: true });
  if (!selector || depth === DEPTH_MAX) return { text: '', end };
  const selected = selectedBy(tokens.slice(start, preludeEnd), context.selected);
  // Report the elements that this rule matches, unless a nested rule reports its own.
  const refersTo: CssReport['refersTo'] = (id, inner = selected) => report.refersTo?.(id, inner);
  const within = { ...report, refersTo };
  const contents = blockContents(inside(tokens, preludeEnd, end), within, { depth: depth + 1, selected });
  return { text: contents === '' ? '' : `${selector}{${contents.replace(/;$/, '')}}`, end };
}

/**
 * Returns the elements that a selector list can match, judged by each selector's last compound: `.b` in `.a > .b`.
 * Matches at least as many elements as browsers do, because only names are considered.
 * @param around the elements that `&` represents
 */
function selectedBy(tokens: Tokens, around: SelectedElement[] = [ANY]): SelectedElement[] {
  const found: SelectedElement[] = [];
  for (let start = 0; start < tokens.length; ) {
    const end = find(tokens, start, [TokenType.Comma]);
    const names = lastCompound(tokens.slice(start, end));
    found.push(...(names.some(isNesting) ? around : [selectedByNames(names)]));
    start = end + 1;
  }
  return found;
}

const ANY: SelectedElement = { type: undefined, id: undefined, classes: [] };

const isNesting = (token: CSSToken): boolean => token[0] === TokenType.Delim && token[4].value === '&';

/** Returns the tokens after the last white space or combinator. */
function lastCompound(selector: Tokens): Tokens {
  const isBetween = (token: CSSToken) =>
    isBlank(token) || (token[0] === TokenType.Delim && ['>', '+', '~'].includes(token[4].value));
  const end = selector.findLastIndex((token) => !isBetween(token)) + 1;
  let start = 0;
  for (let index = 0; index < end; index = endOfComponent(selector, index)) {
    const token = selector[index];
    if (token && isBetween(token)) start = index + 1;
  }
  return selector.slice(start, end);
}

function selectedByNames(names: Tokens): SelectedElement {
  const selected: SelectedElement = { ...ANY, classes: [] };
  for (let index = 0; index < names.length; index = endOfComponent(names, index)) {
    const [token, before] = [names[index], names[index - 1]];
    if (token?.[0] === TokenType.Hash) selected.id = token[4].value;
    if (token?.[0] !== TokenType.Ident) continue;
    if (before === undefined) selected.type = token[4].value;
    else if (before[0] === TokenType.Delim && before[4].value === '.') selected.classes.push(token[4].value);
  }
  return selected;
}

/** Returns the tokens inside a block. @param end the index after the block, or the end of the style sheet */
function inside(tokens: Tokens, open: number, end: number): Tokens {
  const isClosed = tokens[end - 1]?.[0] === TokenType.CloseCurly && end - 1 > open;
  return tokens.slice(open + 1, isClosed ? end - 1 : end);
}

/** Sanitises a declaration. Returns undefined for a rule. */
function declaration(tokens: Tokens, start: number, report: CssReport, context: Context): Consumed | undefined {
  const token = tokens[start];
  if (context.isTop || token?.[0] !== TokenType.Ident) return undefined;
  let colon = start + 1;
  while (isBlank(tokens[colon])) colon += 1;
  if (tokens[colon]?.[0] !== TokenType.Colon) return undefined;
  const name = token[4].value;
  const isCustom = name.startsWith('--');
  const end = find(tokens, colon + 1, [TokenType.Semicolon, ...(isCustom ? [] : [TokenType.OpenCurly])]);
  // A block follows, so this is a rule whose selector looks like a declaration, such as `a:hover`.
  if (tokens[end]?.[0] === TokenType.OpenCurly) return undefined;
  const written = tokens.slice(colon + 1, end);
  const isSource = context.isFontFace === true && name.toLowerCase() === 'src';
  if (RUNNING.has(name.toLowerCase()) || name.toLowerCase() === REDRAWING) report.removed(name);
  else {
    const value = isSource ? fontSources(written, report) : values(written, report, { isCustom });
    if (value !== undefined && (value !== '' || isCustom)) return { text: `${identifier(token)}:${value};`, end };
  }
  return { text: '', end };
}

/** Keeps only a font's installed and embedded sources. */
function fontSources(tokens: Tokens, report: CssReport): string | undefined {
  const sources: string[] = [];
  for (let start = 0; start < tokens.length; ) {
    const end = find(tokens, start, [TokenType.Comma]);
    const source = values(tokens.slice(start, end), report, { isFontSource: true });
    if (source) sources.push(source);
    start = end + 1;
  }
  return sources.length === 0 ? undefined : sources.join(',');
}

interface ValueContext {
  isSelector?: boolean;
  /** True if these tokens follow the name of an at-rule. */
  isPrelude?: boolean;
  isCustom?: boolean;
  isFontSource?: boolean;
}

/** Serialises tokens. Returns undefined if a token must be removed, or if browsers would ignore the tokens anyway. */
function values(tokens: Tokens, report: CssReport, context: ValueContext = {}): string | undefined {
  const open: TokenType[] = [];
  let text = '';
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) continue;
    const url = urlAt(tokens, index);
    const written = url ? ownUrl(url.address, report, context) : tokenText(token, report, context);
    if (written === undefined) return undefined;
    text += written;
    if (url) index = url.last;
    else {
      const closer = CLOSED_BY[token[0]];
      if (closer) open.push(closer);
      else if (CLOSERS.has(token[0]) && open.pop() !== token[0]) return undefined;
    }
  }
  return (text + open.reverse().join('').replaceAll('-token', '')).trim();
}

/** Returns the address in a `url()`, in either syntax, and the index of its last token. */
function urlAt(tokens: Tokens, index: number): { address: string; last: number } | undefined {
  const token = tokens[index];
  if (token?.[0] === TokenType.URL) return { address: token[4].value.trim(), last: index };
  if (token?.[0] !== TokenType.Function || token[4].value.toLowerCase() !== 'url') return undefined;
  const end = endOfComponent(tokens, index);
  const parts = tokens.slice(index + 1, end).filter((part) => !isBlank(part) && part[0] !== TokenType.CloseParen);
  const [address, ...modifiers] = parts;
  const isPlain = address?.[0] === TokenType.String && modifiers.length === 0;
  return { address: isPlain ? address[4].value.trim() : '', last: end - 1 };
}

/**
 * Serialises a `url()`. Returns undefined to remove the `url()`. Always removes it from a custom property, because we
 * can't know where the property is used.
 */
function ownUrl(address: string, report: CssReport, context: ValueContext) {
  const { isFontSource, isSelector, isPrelude, isCustom } = context;
  if (isFontSource) {
    const font = embeddedFont(address);
    if (font) return `url(${font})`;
  } else if (address.startsWith('#') && !isSelector && !isPrelude && !isCustom) {
    report.refersTo?.(address.slice(1));
    return /^#[\p{L}\p{N}_.:-]*$/u.test(address) ? `url(${address})` : `url(${quoted(address, '"')})`;
  }
  report.removed(`url(${address.length > 60 ? `${address.slice(0, 60)}…` : address})`);
  return undefined;
}

/** Media types by magic bytes, for TrueType, OpenType, WOFF and WOFF2. */
const FONTS: Readonly<Record<string, string>> = {
  '\0\x01\0\0': 'font/ttf',
  true: 'font/ttf',
  OTTO: 'font/otf',
  wOFF: 'font/woff',
  wOF2: 'font/woff2',
};

/** Returns a font as a data URI with the media type that matches its content. */
function embeddedFont(address: string): string | undefined {
  const content = /^data:[^,]*;base64,([A-Za-z\d+/=\s]+)$/i.exec(address)?.[1];
  if (content === undefined) return undefined;
  const bytes = Buffer.from(content, 'base64');
  const type = FONTS[bytes.toString('latin1', 0, 4)];
  return type && `data:${type};base64,${bytes.toString('base64')}`;
}

function tokenText(token: CSSToken, report: CssReport, context: ValueContext): string | undefined {
  switch (token[0]) {
    case TokenType.Whitespace:
      return ' ';
    case TokenType.Comment:
      return '/**/';
    case TokenType.String:
      return quoted(token[4].value, token[1].startsWith("'") ? "'" : '"');
    case TokenType.Ident:
      return identifier(token);
    case TokenType.Hash:
      return token[1].includes('\\') ? `#${escapedName(token[4].value)}` : token[1];
    case TokenType.Function:
      return functionStart(token[4].value, report, context);
    case TokenType.Dimension:
      return token[1].includes('\\') ? undefined : token[1];
    case TokenType.Delim:
      return token[1] === '\\' || (token[1] === '<' && !context.isPrelude) ? undefined : token[1];
    case TokenType.OpenCurly:
    case TokenType.CloseCurly:
      return context.isCustom ? token[1] : undefined;
    case TokenType.Semicolon:
    case TokenType.AtKeyword:
    case TokenType.BadString:
    case TokenType.BadURL:
    case TokenType.CDO:
    case TokenType.CDC:
      return undefined;
    default:
      return token[1];
  }
}

function functionStart(name: string, report: CssReport, { isSelector }: ValueContext): string | undefined {
  const isName = /^-?[a-z][\w-]*$/i.test(name);
  if (isName && (isSelector || CSS_FUNCTIONS.has(name.toLowerCase()))) return `${name}(`;
  report.removed(`${name}()`);
  return undefined;
}

const identifier = (token: CSSToken): string => {
  const { value } = token[4] as { value: string };
  return token[1].includes('\\') ? escapedName(value) : token[1];
};

/** Escapes an identifier. Letters, digits, `-` and `_` stay as they are. */
const escapedName = (name: string): string =>
  [...name]
    .map((character, index) => {
      const isPlain = /[\p{L}\p{N}_-]/u.test(character) && !(index < 2 && /[\d-]/.test(character));
      return isPlain ? character : escaped(character);
    })
    .join('');
const escaped = (character: string): string => `\\${(character.codePointAt(0) ?? 0).toString(16)} `;
const quoted = (text: string, quote: string): string =>
  `${quote}${text.replace(/[\p{Cc}"'\\<]/gu, (character) => (/["']/.test(character) && character !== quote ? character : escaped(character)))}${quote}`;
