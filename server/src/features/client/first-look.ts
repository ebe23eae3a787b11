import { type OrgSettings, splitBannerText } from '@orchestrate/shared';
import { escapeHtml } from '#platform/http/answers/plain-page.ts';
import { toGerman } from '#platform/words/translate.ts';

/**
 * Styles of the first look, with the values of the client's theme (`web/src/theme/tokens.ts`). They are inside of the
 * root element, whose content the client replaces.
 */
const STYLE = `body{margin:0}
.l{--bg:#FAFAF9;--panel:#FFF;--fg:#1C1917;--muted:#57534E;--line:#E7E5E4;--bone:#E9E8E5;flex:1;display:flex;min-height:100dvh;background:var(--bg);color:var(--fg);font:400 .875rem/1.5 'Inter Variable','Inter Fallback',system-ui,-apple-system,'Segoe UI',sans-serif}
.dark .l{--bg:#121110;--panel:#1C1B19;--fg:#F5F5F4;--muted:#B5B0AA;--line:#2F2C29;--bone:#34312D}
.l,.l *{box-sizing:border-box;margin:0}
[data-person=out] .l-app,[data-person=in] .l-front{visibility:hidden}
html:not([lang=de]) .l [lang=de],[lang=de] .l [lang=en]{display:none}
.l i{display:block;border-radius:6px;background:var(--bone)}
.l-front{flex-direction:column;background:radial-gradient(60rem 24rem at 50% -4rem,color-mix(in oklab,var(--brand) 30%,transparent),transparent) no-repeat,radial-gradient(36rem 24rem at 100% 104%,color-mix(in oklab,var(--brand) 18%,transparent),transparent) no-repeat var(--bg)}
.dark .l-front{background:radial-gradient(60rem 24rem at 50% -4rem,color-mix(in oklab,var(--brand) 11%,transparent),transparent) no-repeat,radial-gradient(36rem 24rem at 100% 104%,color-mix(in oklab,var(--brand) 6.6%,transparent),transparent) no-repeat var(--bg)}
.l-card{display:grid;grid-template-columns:minmax(0,1fr) 26rem;width:calc(100% - 2.5rem);max-width:56rem;min-height:36rem;margin:max(1.5rem,(100dvh - 42rem)/2) auto 0;background:var(--panel);border:1px solid var(--line);border-radius:16px;overflow:hidden;box-shadow:0 16px 48px -8px rgb(28 25 23/.18),0 2px 6px rgb(28 25 23/.06)}
.dark .l-card{box-shadow:0 16px 48px -8px rgb(0 0 0/.7)}
.l-main{min-width:0;padding:2.5rem}
.l-name{display:flex;align-items:center;gap:.75rem;height:3rem;margin-bottom:1.5rem;font-size:1rem;font-weight:600;white-space:nowrap;overflow:hidden}
.l-name b{flex:none;display:grid;place-items:center;width:3rem;height:3rem;border-radius:12px;background:var(--brand);color:var(--brand-contrast);font-size:1.25rem}
.l-main h1{margin-bottom:.375rem;font-size:1.5rem;font-weight:600;line-height:1.3;letter-spacing:-.02em;text-wrap:balance;overflow-wrap:anywhere}
.l-main img{display:block;height:3rem;max-width:13rem;margin-bottom:1.5rem;object-fit:contain;object-position:left}
.dark .l-main img{padding:.5rem;border-radius:8px;background:#FFF}
.l-main>i{height:2rem;width:14rem;margin-bottom:.75rem}
.l-main p{color:var(--muted)}
.l-actions{margin-top:1.5rem}
.l-actions i{display:none;height:4rem;margin-bottom:.75rem;border-radius:12px}
[data-remembered=yes] .l-actions i{display:block}
.l-button{display:grid;place-items:center;min-height:3rem;padding:.5rem 1.5rem;border:1px solid transparent;border-radius:8px;background:var(--brand);color:var(--brand-contrast);font-size:1rem;font-weight:500;line-height:1.3;text-align:center;overflow-wrap:anywhere}
.l-banner{display:flex;flex-direction:column;justify-content:flex-end;gap:.75rem;padding:1.75rem;background:color-mix(in oklab,var(--brand) 7%,var(--panel));border-inline-start:1px solid var(--line);font-size:1rem;white-space:pre-line;overflow:hidden}
.l-banner strong{font-size:2rem;line-height:1.3;letter-spacing:-.02em;text-wrap:balance;overflow-wrap:anywhere}
.l-banner .long{font-size:1.5rem}
.l-banner span{color:var(--muted);letter-spacing:.01em}
.l-menu{flex:none;width:256px;background:var(--panel);border-inline-end:1px solid var(--line)}
[data-sidebar=collapsed] .l-menu{width:72px}
.l-menu i{height:.75rem;margin:1.5rem 1.25rem}
.l-screen{flex:1;min-width:0}
.l-head{height:64px;background:var(--panel);border-bottom:1px solid var(--line)}
.l-content{max-width:1664px;margin:0 auto;padding:1.75rem 2rem}
.l-content>i{height:1.95rem;width:15rem;margin-bottom:1.75rem}
.l-title{margin-bottom:1.75rem!important;font:600 1.5rem/1.3 'Inter Fallback',system-ui,-apple-system,'Segoe UI',sans-serif;letter-spacing:-.02em;overflow-wrap:anywhere}
.l-cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:1rem}
.l-cards i{height:6rem;border-radius:12px;background:var(--panel);border:1px solid var(--line)}
@media (max-width:1023px){.l-card{grid-template-columns:minmax(0,1fr);max-width:30rem;min-height:0}.l-banner,.l-menu{display:none}.l-content{padding:1.25rem 1rem}}
@media (max-width:779px){.l-card{width:100%;margin-top:0;border:0;background:none;box-shadow:none}.l-main{padding:2rem 1.25rem 0}}`;

/** Hides the look from assistive technology, because its parts can't be used until the client has replaced it. */
const look = (className: string, content: string): string =>
  `<div class="l ${className}" aria-hidden="true"><style>${STYLE}</style>${content}</div>`;

/** The portal's texts in each language. The page displays those of the language chosen in the browser. */
const inEachLanguage = (sentence: string): string =>
  `<span lang="en">${escapeHtml(sentence)}</span><span lang="de">${escapeHtml(toGerman(sentence))}</span>`;

/**
 * Returns the first look of an organisation's page, before the client is loaded: its brand, and the title and button of
 * the sign-in screen, or placeholders for another content.
 */
export function frontLook(settings: OrgSettings, isFront: boolean): string {
  const { name, title, logo, bannerText, loginButtonName, mobileAppEnabled } = settings;
  const { headline, rest } = splitBannerText(bannerText);
  const initial = escapeHtml([...name.trim()][0]?.toUpperCase() ?? '');
  const mark = logo
    ? `<img src="${escapeHtml(logo)}" alt="">`
    : `<div class="l-name"><b>${initial}</b>${isFront && title.includes(name) ? '' : escapeHtml(name)}</div>`;
  const banner = `<strong${headline.length > 48 ? ' class="long"' : ''}>${escapeHtml(headline)}</strong><span>${escapeHtml(rest)}</span>`;
  const subtitle = mobileAppEnabled
    ? 'No password: your phone is all you need.'
    : 'No password: your computer is all you need.';
  const content = isFront
    ? `${mark}<h1>${inEachLanguage(title)}</h1><p>${inEachLanguage(subtitle)}</p><div class="l-actions"><i></i><div class="l-button"><div>${inEachLanguage(loginButtonName)}</div></div></div>`
    : `${mark}<i></i><i></i>`;
  return look(
    'l-front',
    `<div class="l-card"><div class="l-main">${content}</div><div class="l-banner">${banner}</div></div>`,
  );
}

/** The dashboard's greetings by the hour from which they apply, like `greetingAt` of the client. */
const GREETINGS = [
  [0, 'Hello'],
  [5, 'Good morning'],
  [12, 'Good afternoon'],
  [18, 'Good evening'],
] as const;

/** The dashboard's title in each language. `boot.js` replaces it with the present greeting and the user's first name. */
const GREETING = GREETINGS.flatMap(([hour, greeting]) => [
  `<span lang="en" data-from="${hour}">${greeting}</span>`,
  `<span lang="de" data-from="${hour}">${toGerman(greeting)}</span>`,
]).join('');

/**
 * Returns the first look of a private screen: its frame, its title if it greets the user, and placeholders for its
 * other content.
 */
export const appLook = (isGreeting: boolean): string =>
  look(
    'l-app',
    `<div class="l-menu">${'<i></i>'.repeat(9)}</div><div class="l-screen"><div class="l-head"></div><div class="l-content">${isGreeting ? `<h1 class="l-title">${GREETING}</h1>` : '<i></i>'}<div class="l-cards">${'<i></i>'.repeat(4)}</div></div></div>`,
  );
