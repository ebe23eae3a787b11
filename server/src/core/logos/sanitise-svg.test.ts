import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { isHarmlessCss, SvgRefused, sanitiseSvg } from './sanitise-svg.ts';
import { SVG_ATTRIBUTES, SVG_ELEMENTS } from './svg-allowlist.ts';

const NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (content: string, attributes = '') => `<svg ${NS} ${attributes}>${content}</svg>`;

/** Lists everything in an SVG that a logo must not contain. */
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
        attribute === 'xmlns' || (attribute === 'href' ? value.startsWith('#') : SVG_ATTRIBUTES.has(attribute));
      if (!isKnown || /javascript:|url\((?!['"]?#)/i.test(value)) strangers.push(`${attribute}=${value}`);
    }
  });
  parser.on('text', (content) => {
    if (/url\((?!['"]?#)|@import|expression/i.test(content)) strangers.push(content);
  });
  parser.write(text).close();
  return strangers;
}

test('a drawing stays as it is, written in one namespace', async () => {
  const content =
    '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs><style>.b{fill:url(#a)}</style><path class="b" d="M0 0h1v1z" style="opacity:.5" transform="translate(1 2)"/><text x="1">A &amp; B</text>';
  expect(await sanitiseSvg(`<?xml version="1.0"?>${svg(content, 'viewBox="0 0 2 2"')}`)).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><defs><linearGradient id="a"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs><style>.b{fill:url(#a)}</style><path class="b" d="M0 0h1v1z" style="opacity:.5" transform="translate(1 2)"></path><text x="1">A &amp; B</text></svg>',
  );
  const prefixed =
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:use x="1" xmlns:x="http://www.w3.org/1999/xlink" x:href="#a"/></s:svg>';
  expect(await sanitiseSvg(prefixed)).toBe('<svg xmlns="http://www.w3.org/2000/svg"><use x="1" href="#a"></use></svg>');
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

describe('nothing that runs, loads, links or moves remains of', () => {
  test.each(CORPUS)('%s', async (content) => {
    const kept = await sanitiseSvg(svg(`${content}<circle r="1"/>`, 'onload="alert(1)"'));
    expect(strangersIn(kept)).toEqual([]);
    expect(kept).toContain('<circle r="1">');
    expect(kept).not.toMatch(/evil|onload|<script/);
    expect(await sanitiseSvg(kept)).toBe(kept);
  });
});

test('nor of any parsable mixture of them', async () => {
  const piece = fc.constantFrom(...CORPUS, '<g>', '</g>', '<defs>', '</defs>', '<style>', '</style>', '<a>', '</a>');
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const kept = await sanitiseSvg(svg(pieces.join(''))).catch((reason: unknown) => {
        expect(reason).toBeInstanceOf(SvgRefused);
        return '<svg xmlns="http://www.w3.org/2000/svg"/>';
      });
      expect(strangersIn(kept)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['is not well-formed', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'],
  ['is not well-formed', `${svg('')}<p>`],
  ['is not well-formed', svg('&nbsp;')],
  ['is not well-formed', svg('<rect width=1/>')],
  ['is not well-formed', 'no XML'],
  ['is not well-formed', ''],
  ['DOCTYPE', `<!DOCTYPE svg>${svg('')}`],
  ['DOCTYPE', `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${svg('<text>&b;</text>')}`],
  ['DOCTYPE', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`],
  ['not an SVG file', '<html><body/></html>'],
  ['not an SVG file', '<svg><g/></svg>'],
  ['too complex', svg(`${'<g>'.repeat(60)}${'</g>'.repeat(60)}`)],
  ['too complex', svg('<g/>'.repeat(5_000))],
  ['too complex', svg('<g id="a"><use href="#b"/></g><g id="b"/><use href="#a"/>')],
  ['too complex', svg('<use id="a" href="#a"/>')],
])('what %s is refused', async (why, text) => {
  const reason = await sanitiseSvg(text).catch((caught: unknown) => caught);
  expect(reason).toBeInstanceOf(SvgRefused);
  expect(String(reason)).toContain(why);
});

test('style may use its own file and known functions only', () => {
  for (const css of ['fill:red', 'url(#a)', "url('#a')", 'rgb(1 2 3)', 'scale(2) rotate(3)', 'a>b{fill:none}']) {
    expect(isHarmlessCss(css)).toBe(true);
  }
  for (const css of ['url(x)', 'url(#a)b(', '@media x{}', 'src("x")', 'var(--x)', 'a\\62', 'paint(x)', '(x)']) {
    expect(isHarmlessCss(css)).toBe(false);
  }
});
