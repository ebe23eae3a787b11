import { expect, test } from 'vitest';
import { readableAnswer } from './rich-text.tsx';

function htmlOf(html: string): string {
  const box = document.createElement('div');
  box.append(readableAnswer(html));
  return box.innerHTML;
}

// covers: security 3.2.2
test('displays content from the editor unchanged', () => {
  const html =
    '<h2>VPN</h2><p><strong>a</strong> <em>b</em> <u>c</u> <code>d</code></p><ul><li><p>e</p></li></ul>' +
    '<ol><li><p>f</p></li></ol><ol start="5"><li><p>f</p></li></ol><blockquote><p>g</p></blockquote><pre><code>h</code></pre>';
  expect(htmlOf(html)).toBe(html);
});

test('opens links in a new tab without a referrer', () => {
  expect(htmlOf('<a href="https://acme.test/vpn" onclick="alert(1)" class="x">VPN</a>')).toBe(
    '<a href="https://acme.test/vpn" target="_blank" rel="noopener noreferrer nofollow">VPN</a>',
  );
});

// covers: spec 2.5.22
test.each([
  'ftp://acme.test/a',
  'file:///etc/passwd',
  'mailto:a@acme.test',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://malicious-site.net/x',
  '/dashboard',
])('reduces a link to %s to its text', (address) => {
  expect(htmlOf(`<p><a href="${address}">words</a></p>`)).toBe('<p>words</p>');
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<p style="background:url(//evil.test)" onmouseover="alert(1)">a</p>',
  '<iframe src="https://evil.test"></iframe>',
  '<form action="https://evil.test"><input name="password"></form>',
  '<a href="java&#115;cript:alert(1)">a</a>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<p id="content" name="cookie" data-x="1" aria-label="y">a</p>',
])('displays %s as plain text', (payload) => {
  const box = document.createElement('div');
  box.append(readableAnswer(payload));
  expect(box.querySelector(':not(p)')).toBeNull();
  expect([...box.querySelectorAll('*')].flatMap((element) => element.getAttributeNames())).toEqual([]);
});

test.each(['-5', '0', '1e9', '99999', 'javascript:alert(1)', '5 onclick=alert(1)'])(
  'ignores %s as the start of a list',
  (start) => {
    expect(htmlOf(`<ol start="${start}" type="a" onclick="alert(1)"><li>a</li></ol>`)).toBe('<ol><li>a</li></ol>');
  },
);

test('allows a start number only for numbered lists', () => {
  expect(htmlOf('<p start="5">a</p><ul start="5"><li>b</li></ul>')).toBe('<p>a</p><ul><li>b</li></ul>');
});
