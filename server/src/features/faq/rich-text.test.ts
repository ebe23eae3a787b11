import { faqRepo } from '@orchestrate/db';
import { memoryDb } from '@orchestrate/db/testing';
import { linkObstacle, RICH_TEXT_TAGS } from '@orchestrate/shared';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import { TEST_NOW } from '#testing/test-portal.ts';
import { isBlank, sanitiseRichText } from './write-faq.ts';

const TAGS: readonly string[] = RICH_TEXT_TAGS;
const LINK = { target: '_blank', rel: 'noopener noreferrer nofollow' };

/** Lists everything in the parsed HTML that an answer must not contain. */
function forbiddenIn(html: string): string[] {
  return nodesOf(parseFragment(html)).flatMap((node) => {
    if (node.nodeName === '#text' || node.nodeName === '#document-fragment') return [];
    if (!('tagName' in node) || !TAGS.includes(node.tagName)) return [node.nodeName];
    const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
    if (node.tagName === 'ol' && /^[1-9]\d{0,2}$/.test(attributes.start ?? '')) delete attributes.start;
    if (node.tagName !== 'a') return Object.keys(attributes);
    const { href = '', ...others } = attributes;
    const isSound = JSON.stringify(others) === JSON.stringify(LINK) && linkObstacle(href) === undefined;
    return isSound ? [] : [JSON.stringify(attributes)];
  });
}

function nodesOf(node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Node[] {
  return [node, ...('childNodes' in node ? node.childNodes.flatMap(nodesOf) : [])];
}

/** Known ways to make a reader's browser run or load content that an attacker chose. */
const CORPUS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.test/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script\x20type="text/javascript">javascript:alert(1);</script>',
  '<script\x00>alert(1)</script>',
  '<<SCRIPT>alert(1);//<</SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<img src=x:alert(alt) onerror=eval(src) alt=0>',
  '<img src="javascript:alert(1)">',
  '<img/src=x/onerror=alert(1)//',
  '<image href=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg/onload=alert(1)//',
  '<svg><script>alert(1)</script></svg>',
  '<svg><script>alert&#40;1)</script>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text x=0 y=20>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x"/></svg>',
  '<svg><foreignObject><iframe src="javascript:alert(1)"></iframe></foreignObject></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><annotation-xml encoding="text/html"><img src onerror=alert(1)></annotation-xml></math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<math><a xlink:href="javascript:alert(1)">x</a></math>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#x09;script:alert(1)">x</a>',
  '<a href="&#106;&#97;&#118;&#97;script:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="\x01javascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="blob:https://acme.test/x">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="ftp://acme.test/x">x</a>',
  '<a href="mailto:help@acme.test">x</a>',
  '<a href="//evil.test/x">x</a>',
  '<a href="/api/logout">x</a>',
  '<a href="https://acme.test@bit.ly/x">x</a>',
  '<a href="https://bit.ly/x">x</a>',
  '<a href="https://login.malicious-site.net./x">x</a>',
  '<a href="https://acme.test" onclick=alert(1) style="position:fixed" target=_self rel=opener>x</a>',
  '<a href="https://acme.test/&quot;onmouseover=alert(1)//">x</a>',
  '<a href=`https://acme.test`onclick=alert(1)>x</a>',
  '<a name="body" id="cookie" href="https://acme.test">x</a>',
  '<p onclick=alert(1)>x</p>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<p style="x:expression(alert(1))">x</p>',
  '<p class="chakra-button" id="root" data-x="1">x</p>',
  '<ol start="5 onclick=alert(1)"><li>x</ol>',
  '<ol start="javascript:alert(1)"><li>x</ol>',
  '<ol start=`5`onmouseover=alert(1)><li>x</ol>',
  '<ol start="5" type="a" reversed style="position:fixed" onclick=alert(1)><li>x</ol>',
  '<ol start="-5"><li>x</ol>',
  '<ol start="99999999999999"><li>x</ol>',
  '<ul start="5"><li start="5" value="5">x</ul>',
  '<body onload=alert(1)>x',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="data:text/html,<script>alert(1)</script>">',
  '<applet code=x></applet>',
  '<base href="https://evil.test/">',
  '<link rel=stylesheet href="https://evil.test/x.css">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<style>@import "https://evil.test/x.css";</style>',
  '<style><img src="</style><img src=x onerror=alert(1)>">',
  '<video src=x onerror=alert(1)></video>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<input autofocus onfocus=alert(1)>',
  '<select><option><script>alert(1)</script></select>',
  '<textarea autofocus onfocus=alert(1)></textarea>',
  '<textarea></textarea><img src=x onerror=alert(1)></textarea>',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<noembed><img src="</noembed><img src=x onerror=alert(1)>"></noembed>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<plaintext><script>alert(1)</script>',
  '<title><a href="</title><img src=x onerror=alert(1)>"></title>',
  '<table background="javascript:alert(1)"><td>x</table>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '<x onclick=alert(1)>x</x>',
  '<a-custom onpointerenter=alert(1)>x</a-custom>',
  '<p><svg><p><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '\ud800<script>alert(1)</script>',
  '<p>\u202e<a href="https://acme.test">x</a>',
  `${'<blockquote>'.repeat(700)}<img src=x onerror=alert(1)>`,
];

describe('active content', () => {
  test.each(CORPUS)('is removed from %j', async (payload) => {
    for (const html of [payload, `<p>${payload}</p>`, `<ul><li>${payload}</li></ul>`, `<pre><code>${payload}`]) {
      const stored = await sanitiseRichText(html);
      expect(forbiddenIn(stored)).toEqual([]);
      expect(await sanitiseRichText(stored)).toBe(stored);
    }
  });
});

test('removes active content from random combinations of known attacks', async () => {
  const pieces = fc.constantFrom(...CORPUS.flatMap((payload) => payload.split(/(?<=[<>"'= ])/)));
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 20 }), async (parts) => {
      const stored = await sanitiseRichText(parts.join(''));
      expect(forbiddenIn(stored)).toEqual([]);
      expect(await sanitiseRichText(stored)).toBe(stored);
    }),
    { numRuns: 300 },
  );
});

test('keeps the editor’s content and opens links in a new tab', async () => {
  const html =
    '<h2>A</h2><p><strong>b</strong> <em>c</em> <u>d</u><br />e</p><ul><li><p>f</p></li></ul><pre><code>g</code></pre>';
  expect(await sanitiseRichText(html)).toBe(html);
  expect(await sanitiseRichText('<a href="https://acme.test/a?b=1&c=2">x</a>')).toBe(
    '<a href="https://acme.test/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">x</a>',
  );
});

test('keeps a numbered list’s start number', async () => {
  const html = '<ol start="5"><li><p>a</p></li></ol><ol><li><p>b</p></li></ol>';
  expect(await sanitiseRichText(html)).toBe(html);
  expect(await sanitiseRichText('<ol start="1"><li>a</li></ol>')).toBe('<ol><li>a</li></ol>');
});

// covers: spec 2.5.22, security 1.2.2
test('replaces a forbidden link with its text', async () => {
  expect(await sanitiseRichText('<p>see <a href="https://bit.ly/x"><strong>here</strong></a></p>')).toBe(
    '<p>see <strong>here</strong></p>',
  );
});

// covers: spec 2.5.22
test('keeps links next to a forbidden link', async () => {
  expect(
    await sanitiseRichText(
      '<p><a href="ftp://acme.test">a</a><a>b</a><a href="https://acme.test">c</a> d <a href="mailto:a@acme.test">e</a></p>',
    ),
  ).toBe('<p>ab<a href="https://acme.test/" target="_blank" rel="noopener noreferrer nofollow">c</a> d e</p>');
});

test('treats markup without visible content as blank', async () => {
  for (const html of [
    '',
    '<p></p>',
    '<p> &nbsp;<br></p>',
    '<p>\u200b\ufeff</p>',
    '<script>x</script>',
    '<img src=x>',
  ]) {
    expect(isBlank(await sanitiseRichText(html))).toBe(true);
  }
  expect(isBlank(await sanitiseRichText('<p>0</p>'))).toBe(false);
});

test('leaves the demo’s answers unchanged', async () => {
  const { db, close } = memoryDb({ now: TEST_NOW });
  const answers = ['acme', 'globex'].flatMap((orgCode) => faqRepo.listFaq(db, orgCode).records);
  close();
  expect(answers.length).toBeGreaterThan(12);
  for (const { answer } of answers) {
    expect(await sanitiseRichText(answer)).toBe(answer);
    expect(forbiddenIn(answer)).toEqual([]);
  }
});
