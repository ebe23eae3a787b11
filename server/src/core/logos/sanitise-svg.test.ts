import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { sanitiseStyleSheet, sanitiseValue } from './sanitise-css.ts';
import { SvgRefused, sanitiseSvg } from './sanitise-svg.ts';
import { SVG_ATTRIBUTES, SVG_ELEMENTS } from './svg-allowlist.ts';

const NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (content: string, attributes = '') => `<svg ${NS} ${attributes}>${content}</svg>`;

const sanitise = (text: string) => sanitiseSvg(text, async () => undefined);
const textOf = async (text: string) => (await sanitise(text)).text;

/** Returns everything in an SVG that a logo must not contain. */
function strangersIn(text: string): string[] {
  const strangers: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => strangers.push(error.message));
  parser.on('processinginstruction', ({ target }) => strangers.push(target));
  parser.on('comment', (comment) => strangers.push(comment));
  parser.on('doctype', (doctype) => strangers.push(doctype));
  parser.on('opentag', ({ name, uri, attributes }) => {
    if (uri !== 'http://www.w3.org/2000/svg' || !SVG_ELEMENTS.has(name)) strangers.push(name);
    for (const { name: attribute, value } of Object.values(attributes)) {
      const isKnown =
        attribute === 'xmlns' ||
        attribute === 'xml:space' ||
        (attribute === 'href' ? value.startsWith('#') : SVG_ATTRIBUTES.has(attribute));
      if (!isKnown || /javascript:|url\((?!['"]?#)/i.test(value)) strangers.push(`${attribute}=${value}`);
    }
  });
  parser.on('text', (content) => {
    if (/url\((?!['"]?#)|@import|expression/i.test(content)) strangers.push(content);
  });
  parser.write(text).close();
  return strangers;
}

test('leaves a safe drawing unchanged, in a single namespace', async () => {
  const content =
    '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs><style>.b{fill:url(#a)}</style><path class="b" d="M0 0h1v1z" style="opacity:.5" transform="translate(1 2)"/><text x="1">A &amp; B</text>';
  expect(await textOf(`<?xml version="1.0"?>${svg(content, 'viewBox="0 0 2 2"')}`)).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><defs><linearGradient id="a"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs><style>.b{fill:url(#a)}</style><path class="b" d="M0 0h1v1z" style="opacity:.5" transform="translate(1 2)"></path><text x="1">A &amp; B</text></svg>',
  );
  const prefixed =
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:use x="1" xmlns:x="http://www.w3.org/1999/xlink" x:href="#a"/></s:svg>';
  expect(await textOf(prefixed)).toBe('<svg xmlns="http://www.w3.org/2000/svg"><use x="1" href="#a"></use></svg>');
});

const CORPUS = [
  '<script>alert(1)</script>',
  '<script href="https://evil.test/x.js"/>',
  '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>',
  '<script><![CDATA[alert(1)]]></script>',
  '<g onclick="alert(1)"/>',
  '<rect onload="alert(1)" ONLOAD="alert(1)" width="1"/>',
  '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/></foreignObject>',
  '<image href="https://evil.test/x.png"/>',
  '<image xlink:href="data:image/svg+xml;base64,PHN2Zy8+"/>',
  '<feImage href="https://evil.test/x"/>',
  '<use href="https://evil.test/x.svg#a"/>',
  '<use xlink:href="data:image/svg+xml,x#a"/>',
  '<a href="javascript:alert(1)"><text>x</text></a>',
  '<a xlink:href="https://evil.test"><path d="M0 0"/></a>',
  '<animate attributeName="href" values="javascript:alert(1)"/>',
  '<set attributeName="onmouseover" to="alert(1)"/>',
  '<animateTransform attributeName="transform" onbegin="alert(1)"/>',
  '<animateMotion/>',
  '<style>@import url(https://evil.test/x.css);</style>',
  '<style>rect{fill:url(https://evil.test/x)}</style>',
  '<style>rect{fill:u/**/rl(https://evil.test/x)}</style>',
  '<style>rect{fill:\\75rl(https://evil.test/x)}</style>',
  '<style>rect{background:image-set("https://evil.test/x" 1x)}</style>',
  '<style>rect{width:expression(alert(1))}</style>',
  '<style><script>alert(1)</script></style>',
  '<style>&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;</style>',
  '<rect style="fill:url(https://evil.test/x)"/>',
  '<rect fill="url(&quot;https://evil.test/x#a&quot;)"/>',
  '<rect filter="url(//evil.test/x#a)"/>',
  '<rect mask="url(javascript:alert(1))"/>',
  '<iframe xmlns="http://www.w3.org/1999/xhtml" src="x"/>',
  '<x:rect xmlns:x="urn:x" onload="alert(1)"/>',
  '<metadata><rdf:RDF xmlns:rdf="urn:rdf"/></metadata>',
  '<handler type="application/ecmascript">alert(1)</handler>',
  '<listener event="click"/>',
  '<text><tspan xlink:href="javascript:alert(1)">x</tspan></text>',
  '<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>',
  '<?xml-stylesheet href="https://evil.test/x.xsl"?>',
  '<!--<script>alert(1)</script>-->',
  '<discard/><mpath href="https://evil.test"/><tref xlink:href="https://evil.test"/>',
  '<rect xml:base="https://evil.test/" xlink:type="simple"/>',
  '<switch><foreignObject/><rect onfocus="alert(1)"/></switch>',
];

describe('removes anything that runs, loads, links or moves from', () => {
  test.each(CORPUS)('%s', async (content) => {
    const output = await textOf(svg(`${content}<circle r="1"/>`, 'onload="alert(1)"'));
    expect(strangersIn(output)).toEqual([]);
    expect(output).toContain('<circle r="1">');
    expect(output).not.toMatch(/evil|onload|<script/);
    expect(await textOf(output)).toBe(output);
  });
});

// covers: spec 2.5.19, security 1.3.4
test('removes anything that runs, loads, links or moves from random well-formed mixtures', async () => {
  const piece = fc.constantFrom(...CORPUS, '<g>', '</g>', '<defs>', '</defs>', '<style>', '</style>', '<a>', '</a>');
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const output = await textOf(svg(pieces.join(''))).catch((reason: unknown) => {
        expect(reason).toBeInstanceOf(SvgRefused);
        return '<svg xmlns="http://www.w3.org/2000/svg"/>';
      });
      expect(strangersIn(output)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['is not well-formed (line 1)', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'],
  ['is not well-formed (line 1)', `${svg('')}<p>`],
  ['is not well-formed (line 2)', svg('\n<rect width=1/>')],
  ['is not well-formed', 'no XML'],
  ['is not well-formed', ''],
  ['an undefined entity (line 1)', svg('&nbsp;')],
  ['an undefined entity', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`],
  ['an undefined entity', `<!DOCTYPE svg [<!ENTITY % x "<!ENTITY y 'z'>">%x;]>${svg('<text>&y;</text>')}`],
  ['does not declare the prefix “sketch”', '<svg xmlns="http://www.w3.org/2000/svg"><g sketch:type="x"/></svg>'],
  ['is not plain text', `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${svg('<text>&b;</text>')}`],
  ['is not plain text', `<!DOCTYPE svg [<!ENTITY a "&#60;script/>">]>${svg('&a;')}`],
  ['too much text', `<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(10_000)}">]>${svg(`<text>${'&a;'.repeat(101)}</text>`)}`],
  ['not an SVG file', '<html><body/></html>'],
  ['not an SVG file', '<!DOCTYPE html><meta charset="utf-8"><br>'],
  ['not an SVG file', '<svg><g/></svg>'],
  ['at most 50 levels', svg(`${'<g>'.repeat(60)}${'</g>'.repeat(60)}`)],
  ['at most 5000 elements', svg('<g/>'.repeat(5_000))],
  ['a copy of itself', svg('<use id="a" href="#a"/>')],
  ['a copy of itself', svg('<g id="ä"><use href="#%C3%A4"/></g>')],
  ['a copy of itself', svg('<mask id="m"><rect mask="url(#m)"/></mask><rect mask="url(#m)"/>')],
  ['including all copies', svg(doublings('<use href="#%"/>'))],
  ['including all copies', svg(doublings('<rect fill="url(#%)"/>', 'pattern'))],
  ['including all copies', svg(doublings('<rect style="mask: url(&quot;#%&quot;)"/>', 'mask'))],
])('refuses an SVG with the error “%s”', async (why, text) => {
  const reason = await sanitise(text).catch((caught: unknown) => caught);
  expect(reason).toBeInstanceOf(SvgRefused);
  expect(String(reason)).toContain(why);
});

/** Returns twenty nested elements, each drawing the previous one twice. */
function doublings(reference: string, name = 'g'): string {
  const levels = Array.from({ length: 20 }, (_, level) => reference.replace('%', `l${level}`).repeat(2));
  const drawn = levels.map((content, level) => `<${name} id="l${level + 1}">${content}</${name}>`).join('');
  return `<${name} id="l0"><path/></${name}>${drawn}${reference.replace('%', 'l20')}`;
}

test('drops rules that are nested too deeply, and refuses styles that are slow to parse', async () => {
  const deep = `${'a{'.repeat(20)}fill:red`;
  expect(await textOf(svg(`<style>${deep}</style><path/>`))).not.toContain('fill');
  const long = svg(`<style>.a{${'fill:red;'.repeat(50_000)}}</style>`);
  await expect(sanitise(long)).rejects.toThrow('The styles in this SVG are too long for a logo');
});

test('refuses styles whose references apply to too many elements', async () => {
  const rules = Array(10_000).fill('*{mask:url(#m)}').join('');
  const drawing = svg(`<style>${rules}</style>${'<rect/>'.repeat(4_000)}`);
  await expect(sanitise(drawing)).rejects.toThrow('The styles in this SVG are too long for a logo');
});

test('keeps clones of clones, as Inkscape creates them', async () => {
  const drawing = '<g id="a"><use href="#b"></use></g><g id="b"><path></path></g><use href="#a"></use>';
  expect(await textOf(svg(drawing))).toContain(drawing);
});

test("keeps a switch's conditions, and removes link addresses", async () => {
  const drawing =
    '<switch><text systemLanguage="de">Hallo</text><text>Hello</text></switch><a transform="translate(1)" class="b"><path></path></a><g requiredExtensions="https://editor.test"></g>';
  expect(await sanitise(svg(drawing))).toMatchObject({ text: expect.stringContaining(drawing), removed: [] });
  const linked = svg('<a xlink:href="https://example.com" target="_blank"><path/></a>');
  expect(await sanitise(linked)).toMatchObject({ text: expect.stringContaining('<a><path></path></a>'), removed: [] });
  const replaced = svg(
    '<switch><foreignObject><p xmlns="http://www.w3.org/1999/xhtml">A</p></foreignObject><text>A</text></switch><switch><g requiredFeatures="f"/><text>This file needs another program</text></switch>',
  );
  expect(await textOf(replaced)).toContain(
    '<switch><text>A</text></switch><switch><g></g><text>This file needs another program</text></switch>',
  );
});

test('keeps xml:space in text', async () => {
  const drawing = '<text xml:space="preserve">A  B</text>';
  expect(await textOf(svg(drawing))).toContain(drawing);
});

test('keeps referenced filters, markers and styles as drawing programs write them', async () => {
  const effects =
    '<feFlood flood-opacity="0" result="b"></feFlood><feBlend in="SourceGraphic" in2="b" result="shape"></feBlend><feGaussianBlur stdDeviation="2"></feGaussianBlur><feComposite in2="shape" operator="out"></feComposite><feMerge><feMergeNode in="shape"></feMergeNode><feMergeNode></feMergeNode></feMerge>';
  const drawing = `<style>.a{filter:url(#f)}.c &gt; .a:hover,.b{marker-end:url(#m)}.c{.b{fill:url(#p)}&amp; .a{clip-path:url(#k)}}</style><filter id="f">${effects}</filter><marker id="m"><path class="d"></path></marker><clipPath id="k"><path></path></clipPath>`;
  const shapes = `<g class="c">${'<path class="a b" d="M0 0h9v9h-9z"></path>'.repeat(300)}</g>`;
  expect(await textOf(svg(drawing + shapes))).toContain(drawing + shapes);
});

test.each([
  ['classes', [...Array(20).keys()].map((n) => `.c${n + 1}{mask:url(#l${n})}`).join('')],
  ['nested rules', `svg{${[...Array(20).keys()].map((n) => `.c${n + 1}{&amp;{mask:url(#l${n})}}`).join('')}}`],
  ['types and IDs', [...Array(20).keys()].map((n) => `g &gt; rect#r${n + 1}.c${n + 1}{mask:url(#l${n})}`).join('')],
])('refuses nested copies created by a style sheet with %s', async (_by, css) => {
  const levels = [...Array(20).keys()].map(
    (n) => `<mask id="l${n + 1}">${`<rect id="r${n + 1}" class="c${n + 1}"/>`.repeat(2)}</mask>`,
  );
  const drawing = svg(`<style>${css}</style><mask id="l0"><rect/></mask>${levels.join('')}`);
  const reason = await sanitise(drawing).catch((error: unknown) => error);
  expect(String(reason)).toContain('A logo can have at most');
});

test.each([
  ['chained inputs', [...Array(25).keys()].map((n) => `<feBlend in="r${n}" in2="r${n}" result="r${n + 1}"/>`), 1],
  ['implicit inputs', Array(25).fill('<feBlend/>'), 1],
  ['merged inputs', Array(25).fill('<feMerge><feMergeNode/><feMergeNode/></feMerge>'), 1],
  ['many primitives', Array(1_000).fill('<feOffset/>'), 200],
])('refuses a slow filter with %s', async (_by, steps: string[], uses) => {
  const filter = `<filter id="f"><feOffset result="r0"/>${steps.join('')}</filter>`;
  const drawing = svg(filter + '<rect filter="url(#f)"/>'.repeat(uses));
  await expect(sanitise(drawing)).rejects.toThrow('A logo can have at most');
});

const POINTS = `d="M0 0${'h1'.repeat(2_000)}"`;

test.each([
  ['the path itself', `<path marker-mid="url(#m)" ${POINTS}/>`],
  ['its parent group', `<g style="marker:url(#m)"><path ${POINTS}/></g>`],
  ['a group that contains a copy of the path', `<path id="p" ${POINTS}/><g marker-mid="url(#m)"><use href="#p"/></g>`],
])('refuses markers on thousands of points if set by %s', async (_of, line) => {
  const drawing = svg(`<marker id="m">${'<circle r="1"/>'.repeat(100)}</marker>${line}`);
  await expect(sanitise(drawing)).rejects.toThrow('A logo can have at most');
});

test('keeps references to IDs with non-ASCII letters', async () => {
  const drawing =
    '<linearGradient id="Verläufe_(1)"></linearGradient><path fill="url(&quot;#Verläufe_(1)&quot;)"></path><use href="#Verläufe_(1)"></use><path style="fill:url(#グラデーション)"></path>';
  expect(await textOf(svg(drawing))).toContain(drawing);
});

test('drops the document type, and expands entities defined by Illustrator', async () => {
  const text = `<?xml version="1.0"?>
<!-- Generator: Adobe Illustrator -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!ENTITY ns_svg "http://www.w3.org/2000/svg">
  <!ENTITY st0 'fill:#F00;'>
]>
<svg xmlns="&ns_svg;"><path style="&st0;"/><text>&st0;</text></svg>`;
  expect(await sanitise(text)).toEqual({
    text: '<svg xmlns="http://www.w3.org/2000/svg"><path style="fill:#F00"></path><text>fill:#F00;</text></svg>',
    removed: [],
  });
});

test.each([
  ['@charset "utf-8";.a{fill:red}', '.a{fill:red}', []],
  ['.a{fill:red;}\n.b > .c , d:not(.e){fill:none}', '.a{fill:red}.b > .c , d:not(.e){fill:none}', []],
  ['@media (prefers-color-scheme: dark){.a{fill:#fff}}', '@media (prefers-color-scheme: dark){.a{fill:#fff}}', []],
  ['@media (width < 100px){a{fill:red}}', '@media (width < 100px){a{fill:red}}', []],
  [':root{--c:#f00}.a{fill:var(--c, blue)}', ':root{--c:#f00}.a{fill:var(--c, blue)}', []],
  ['.a{fill:red;& .b{fill:blue}}', '.a{fill:red;& .b{fill:blue}}', []],
  [
    '@font-face{font-family:A;src:local("A"),url(https://evil.test/a)}',
    '@font-face{font-family:A;src:local("A");}',
    ['url(https://evil.test/a)'],
  ],
  ['@font-face{font-family:A;src:url(https://evil.test/a)}.a{fill:red}', '.a{fill:red}', ['url(https://evil.test/a)']],
  [
    '@font-face{src:url("data:application/x-font;base64,d09GMg==") format("woff2")}',
    '@font-face{src:url(data:font/woff2;base64,d09GMg==) format("woff2");}',
    [],
  ],
  ['@font-face{src:url(data:font/woff2;base64,PHN2Zz4=)}', '', ['url(data:font/woff2;base64,PHN2Zz4=)']],
  ['@import "https://evil.test/x";.a{fill:red}', '.a{fill:red}', ['@import']],
  ['@keyframes x{from{fill:red}}.a{fill:red}', '.a{fill:red}', ['@keyframes']],
  ['.a{fill:red;mask:url(https://evil.test/m);stroke:blue}', '.a{fill:red;stroke:blue}', ['url(https://evil.test/m)']],
  ['.a{mask:url("https://evil.test/m" x)}', '', ['url()']],
  ['.a{--m:url(#m);mask:var(--m)}', '.a{mask:var(--m)}', ['url(#m)']],
  ['.a{d:path("M0 0h1");fill:red}', '.a{fill:red}', ['d']],
  ['.a{fill:u\\72l(https://evil.test/m);stroke:blue}', '.a{stroke:blue}', ['url(https://evil.test/m)']],
  ['.a{--u:url(https://evil.test);fill:image-set("x" 1x)}', '', ['url(https://evil.test)', 'image-set()']],
  ['.\\31 a{fill:\\72 ed}', '.\\31 a{fill:red}', []],
  ['.a{fill:url( "#b" )}', '.a{fill:url(#b)}', []],
  ['.a{font:"x\\27 \\3c/style>"}', `.a{font:"x'\\3c /style>"}`, []],
  ['.a{fill:rgb(1 2 3', '.a{fill:rgb(1 2 3)}', []],
  ['.a{fill:red}}.b{fill:blue}', '.a{fill:red}', []],
  ['/* a */.a{fill:/* b */red}<!-- .c{fill:none} -->', '.a{fill:/**/red}.c{fill:none}', []],
])('sanitises the style sheet %s', (css, output, removed) => {
  const found: string[] = [];
  const report = { removed: (name: string) => void found.push(name), spend: () => {} };
  expect(sanitiseStyleSheet(css, report)).toBe(output);
  expect(found).toEqual(removed);
  expect(sanitiseStyleSheet(output, report)).toBe(output);
});

// covers: security 1.3.5
test('keeps only values that reference the same file and use known functions', () => {
  const report = { removed: () => {}, spend: () => {} };
  for (const css of ['red', 'url(#a)', 'rgb(1 2 3)', 'scale(2) rotate(3)', 'var(--x)', '(x)']) {
    expect(sanitiseValue(css, report)).toBe(css);
  }
  for (const css of ['url(x)', 'url(#a)b(', '@media x{}', 'src("x")', 'paint(x)', 'url(#a', '"a', 'a;b']) {
    expect(sanitiseValue(css, report) ?? '').not.toMatch(/url\((?!#)|b\(|@|src|paint|;|"$(?<!"a")/);
  }
});
