import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ScreenFiles } from '@orchestrate/shared';
import type { Plugin, Rolldown } from 'vite';
import { paths } from './src/paths.ts';

const WEB = import.meta.dirname;
const FIRST_ROUTES = join(WEB, 'src/routes.tsx');
const PRIVATE_ROUTES = join(WEB, 'src/private-routes.tsx');
const ROUTES = [FIRST_ROUTES, join(WEB, 'src/public-routes.tsx'), PRIVATE_ROUTES];
const LANGUAGES = ['en', 'de'] as const;
/** Code that a language needs in addition to its catalogues. */
const SHARED_TEXTS = { en: [], de: [join(WEB, '../shared/src/words/index.ts')] };

/** Data that a screen reads first. `boot.js` requests it while the screen's code is loaded. */
interface EarlyRead {
  /**
   * Address in which `{org}` is the user's organisation, `{today}` the start of the day, and `{language}` and
   * `{timeZone}` the browser's.
   */
  path: string;
  /** Permission without which the screen doesn't read it. */
  permission?: string;
  /** True if the screen reads something else if its own address has a query. */
  isFiltered?: true;
}

const always = (...paths: string[]): EarlyRead[] => paths.map((path) => ({ path }));
const ifAllowed = (permission: string, ...paths: string[]): EarlyRead[] => paths.map((path) => ({ path, permission }));
const unlessFiltered = (permission: string, ...paths: string[]): EarlyRead[] =>
  paths.map((path) => ({ path, permission, isFiltered: true }));

/** What the private area reads on startup, and what individual screens read in addition. */
const PRIVATE_READS = always('/api/profile', '/api/org/settings?code={org}');
const READS: Record<string, EarlyRead[]> = {
  [paths.dashboard]: [
    ...ifAllowed('SEARCH_USER', '/api/org/summary?since={today}&timeZone={timeZone}'),
    ...always('/api/user', '/api/user/loginhistory?count=5', '/api/user/sessions', '/api/user/browsers'),
  ],
  [paths.ownApplications]: always('/api/user/apps'),
  [paths.ownFaq]: always('/api/faq'),
  [paths.manageUsers]: [
    ...ifAllowed('SEARCH_USER', '/api/org/roleslist'),
    ...unlessFiltered('SEARCH_USER', '/api/user/search/count?field=any'),
  ],
  [paths.directReports]: ifAllowed('GET_ALL_REPORTEES', '/api/user/reportee'),
  [paths.applications]: ifAllowed('SESSION_MANAGEMENT', '/api/orgs/{org}/apps', '/api/org/login-options'),
  [paths.signIns]: [
    ...ifAllowed('SESSION_MANAGEMENT', '/api/orgs/{org}/apps'),
    ...unlessFiltered(
      'SESSION_MANAGEMENT',
      '/api/org/sign-ins/days?timeZone={timeZone}',
      '/api/org/sign-ins?pageSize=50',
    ),
  ],
  [paths.activity]: unlessFiltered(
    'SESSION_MANAGEMENT',
    '/api/org/activity/days?timeZone={timeZone}',
    '/api/org/activity?pageSize=50',
  ),
  [paths.oidcPortalAuth]: ifAllowed('ADD_UPDATE_OIDC_CONFIGURATION', '/api/oidc/configuration'),
  [paths.orgLevelLoginOptions]: ifAllowed('SESSION_MANAGEMENT', '/api/org/session'),
  [paths.idpConfiguration]: ifAllowed('ADD_UPDATE_SAML_CONFIGURATION', '/api/org/idp'),
  [paths.userProvisioning]: ifAllowed(
    'SCIM_PROVISIONING',
    '/api/scim/basicauth',
    '/api/scim/tokens',
    '/api/scim/schemas',
    '/api/scim/log?count=20',
  ),
  [paths.roleManagement]: ifAllowed('CREATE_CUSTOM_ROLES', '/api/org/roleslist'),
  [paths.security]: ifAllowed('SESSION_MANAGEMENT', '/api/org/security'),
  [paths.manageFaq]: ifAllowed('SESSION_MANAGEMENT', '/api/faq'),
  [paths.mails]: ifAllowed('SESSION_MANAGEMENT', '/api/org/mails', '/api/org/mails?language={language}'),
  [paths.webhooks]: ifAllowed('SESSION_MANAGEMENT', '/api/org/webhooks'),
};

/** True if the build configures other base URLs for the API, where nothing is read early. */
const HAS_OTHER_API = Object.keys(process.env).some((name) => /^VITE_\w*API_URL$/.test(name));

/** The ESTree node properties used here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

interface Screen {
  /** The routes file that loads it. */
  routes: string;
  path: string;
  modules: string[];
  folders: string[];
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const each of value) yield* nodesIn(each);
  else if (isNode(value)) {
    yield value;
    for (const [key, child] of Object.entries(value)) if (key !== 'parent') yield* nodesIn(child);
  }
}

const nameOf = (value: unknown): string => (isNode(value) && typeof value.name === 'string' ? value.name : '');
const textOf = (value: unknown): string => (isNode(value) && typeof value.value === 'string' ? value.value : '');

/**
 * Returns a route file's lazy components by name, with the modules that they import and their words' folders. A function
 * of the file can call `withWords` for them.
 */
function lazyParts(program: unknown, file: string) {
  const parts = new Map<string, Pick<Screen, 'modules' | 'folders'>>();
  const foldersBy = new Map<string, string[]>();
  for (const { type, id, init } of nodesIn(program)) {
    if (type !== 'VariableDeclarator' || !isNode(init)) continue;
    const inside = [...nodesIn(init)];
    const folders = inside.flatMap(({ type: kind, callee, arguments: given }) => {
      if (kind !== 'CallExpression') return [];
      const own = nameOf(callee) === 'withWords' && Array.isArray(given) ? [textOf(given[0])] : [];
      return [...own, ...(foldersBy.get(nameOf(callee)) ?? [])];
    });
    const modules = inside
      .filter((node) => node.type === 'ImportExpression')
      .map(({ source }) => join(dirname(file), textOf(source)));
    if (nameOf(init.callee) === 'lazyPart') parts.set(nameOf(id), { modules, folders });
    else if (init.type === 'ArrowFunctionExpression') foldersBy.set(nameOf(id), folders);
  }
  return parts;
}

/** Returns the screens of a routes file: each `Route` with a path whose element is a lazy component. */
function screensOf(program: unknown, code: string, file: string): Screen[] {
  const parts = lazyParts(program, file);
  const screens: Screen[] = [];
  for (const node of nodesIn(program)) {
    if (node.type !== 'JSXOpeningElement' || nameOf(node.name) !== 'Route') continue;
    const attributes = [...nodesIn(node.attributes)].filter(({ type }) => type === 'JSXAttribute');
    const givenAs = (name: string) => attributes.find((attribute) => nameOf(attribute.name) === name)?.value;
    const shown = [...nodesIn(givenAs('element'))].flatMap((part) =>
      part.type === 'JSXOpeningElement' ? (parts.get(nameOf(part.name)) ?? []) : [],
    );
    const path = attributes.some((attribute) => nameOf(attribute.name) === 'index')
      ? '/'
      : pathOf(givenAs('path'), code);
    // The sign-in screen isn't lazy, because it is part of the first code.
    if (!path || path === '*' || (shown.length === 0 && file !== FIRST_ROUTES)) continue;
    screens.push({
      routes: file,
      path,
      modules: shown.flatMap(({ modules }) => modules),
      folders: shown.flatMap(({ folders }) => folders),
    });
  }
  return screens;
}

/** Evaluates a route's path: a string, or an expression of `paths`. */
function pathOf(value: unknown, code: string): string {
  if (!isNode(value)) return '';
  if (!isNode(value.expression)) return textOf(value);
  const { start, end } = value.expression;
  return new Function('paths', `return ${code.slice(start, end)}`)(paths);
}

/**
 * Writes `.vite/screens.json`, from which the server knows the files of each route's screen, so that it can make
 * browsers load them with the page. Also puts the style sheet, the icon and `boot.js` into the page, and starts the
 * client's code.
 */
export function screenFiles(): Plugin {
  let screens: Screen[] = [];
  const readIcon = () => readFileSync(join(WEB, 'public/favicon.svg'), 'utf8').trim();
  const readBoot = () => readFileSync(join(WEB, 'boot.js'), 'utf8').replaceAll(/^\s*(?:\/\/.*)?\n|^\s+/gm, '');
  return {
    name: 'screen-files',
    enforce: 'pre',
    buildStart() {
      screens = [];
      for (const file of ROUTES) {
        const code = readFileSync(file, 'utf8');
        screens.push(...screensOf(this.parse(code, { lang: 'tsx' }), code, file));
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const page = html.replace('<!--start-->', () => `<!--start--><script>${readBoot()}</script>`);
        if (!bundle) return page;
        return page
          .replace(RUNTIME_SCRIPT, '')
          .replace(STYLE_SHEET, (_, name) => styleIn(bundle, name))
          .replace(MODULE_SCRIPT, (_, url) => `<link rel="modulepreload" crossorigin href="${url}">`)
          .replace('</body>', (end) => `${startScript(html)}${end}`)
          .replace('href="/favicon.svg"', () => `href="data:image/svg+xml,${encodeURIComponent(readIcon())}"`);
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        removeFacades(bundle);
        moveRuntime(bundle);
        removeStyleSheets(bundle);
        refuseCycles(bundle);
        this.emitFile({
          type: 'asset',
          fileName: '.vite/screens.json',
          source: JSON.stringify(filesOf(screens, bundle)),
        });
      },
    },
  };
}

const RUNTIME_SCRIPT = /<script[^>]*\/rolldown-runtime-[^>]*><\/script>\s*/;
const MODULE_SCRIPT = /<script type="module"[^>]*src="([^"]+)"><\/script>/g;
const STYLE_SHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)">/;
const FACADE = /^export\s*\{([^}]*)\}\s*from\s*"\.\/([^"]+)";?\s*$/;

/**
 * Removes the chunks that only export a lazy module from the chunk that contains it, each of which would be a request.
 * The code then imports the module from that chunk.
 */
function removeFacades(bundle: Rolldown.OutputBundle): void {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  for (const { fileName, isDynamicEntry, code } of chunks) {
    const [, exported, target] = (isDynamicEntry && FACADE.exec(code)) || [];
    if (exported === undefined) continue;
    const members = exported.split(',').map((each) => {
      const [local = '', name = local] = each.trim().split(' as ');
      return `${name}:e.${local}`;
    });
    const [name] = fileName.split('/').slice(-1);
    for (const chunk of chunks) {
      chunk.code = chunk.code
        .replaceAll(`import(\`./${name}\`)`, `import(\`./${target}\`).then(e=>({${members.join()}}))`)
        .replaceAll(`"${fileName}"`, `"assets/${target}"`);
    }
    delete bundle[fileName];
  }
}

/**
 * Moves the bundler's helper functions from their own small chunk into the framework's, which every chunk needs. The
 * bundler can't do that itself.
 */
function moveRuntime(bundle: Rolldown.OutputBundle): void {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const runtime = chunks.find(({ name }) => name === 'rolldown-runtime');
  const framework = chunks.find(({ name }) => name === 'react');
  const [, body, exported] = /^(.*)export\s*\{([^}]*)\};?\s*$/s.exec(runtime?.code ?? '') ?? [];
  if (!runtime || !framework || exported === undefined)
    throw new Error("The bundler's helper functions weren't found.");
  const members = exported.split(',').map((each) => {
    const [local = '', name = local] = each.trim().split(' as ');
    return `${name}:${local}`;
  });
  const [runtimeFile, frameworkFile] = [runtime, framework].map(({ fileName }) => fileName.replace('assets/', './'));
  const taken = new RegExp(`import\\{([^}]*)\\}from"${runtimeFile?.replaceAll('.', '\\.')}";`);
  for (const chunk of chunks) {
    chunk.code = chunk.code.replaceAll(`"${runtime.fileName}"`, `"${framework.fileName}"`);
    const names = taken.exec(chunk.code)?.[1]?.replaceAll(' as ', ':');
    if (names === undefined) continue;
    const own = chunk === framework ? '' : `import{__helpers}from"${frameworkFile}";`;
    chunk.code = chunk.code.replace(taken, () => `${own}const{${names}}=__helpers;`);
    const imports = chunk.imports.map((name) => (name === runtime.fileName ? framework.fileName : name));
    chunk.imports = [...new Set(imports)].filter((name) => name !== chunk.fileName);
  }
  framework.code = `const __helpers=(()=>{${body}return{${members.join()}}})();export{__helpers};${framework.code}`;
  delete bundle[runtime.fileName];
}

/** Throws if chunks import each other: the one that is evaluated first would use constants that don't exist yet. */
function refuseCycles(bundle: Rolldown.OutputBundle): void {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const cycle = cycleIn(new Map(chunks.map(({ fileName, imports }) => [fileName, imports])));
  if (!cycle) return;
  const names = cycle.map((file) => chunks.find(({ fileName }) => fileName === file)?.name ?? file);
  throw new Error(`These chunks import each other: ${names.join(' → ')}. Move a module in web/vite.config.ts.`);
}

/** Returns files that import each other, from one of them back to itself, or undefined if there are none. */
export function cycleIn(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const follow = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const imported of imports.get(file) ?? []) {
      const cycle = follow(imported, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const cycle = follow(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Makes the code not load the style sheet that the page contains. */
function removeStyleSheets(bundle: Rolldown.OutputBundle): void {
  for (const chunk of Object.values(bundle)) {
    if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(/"assets\/[^"]+\.css"/g, `"${chunk.fileName}"`);
  }
}

/**
 * Returns a script that starts the client once the browser has displayed the page's first look. Cached code would
 * otherwise run before the first frame and delay it. Browsers draw no frames for background pages, and may not report a
 * paint if the look is hidden.
 */
function startScript(html: string): string {
  const entry = [...html.matchAll(MODULE_SCRIPT)].at(-1)?.[1];
  if (!entry) throw new Error("The built page doesn't load the client.");
  const wait = "new PerformanceObserver(start).observe({type:'paint',buffered:true});setTimeout(start,200)";
  return `<script>{const start=()=>import('${entry}');document.hidden||!document.querySelector('.l')?start():requestAnimationFrame(()=>{${wait}})}</script>`;
}

function styleIn(bundle: Rolldown.OutputBundle, name: string): string {
  const sheet = bundle[name];
  if (sheet?.type !== 'asset') throw new Error(`${name} isn't in the bundle.`);
  return `<style>${String(sheet.source).trim()}</style>`;
}

function filesOf(
  screens: readonly Screen[],
  bundle: Rolldown.OutputBundle,
): { files: string[]; screens: (ScreenFiles & { startReads: EarlyRead[]; reads: EarlyRead[] })[] } {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const chunkOf = new Map(chunks.flatMap((chunk) => chunk.moduleIds.map((id) => [id, chunk] as const)));
  const files: string[] = [];
  /** Returns the chunks of modules with all that they import. */
  const neededBy = (modules: readonly string[]): number[] => {
    const needed = new Set<string>();
    const add = (name: string) => {
      const chunk = bundle[name];
      if (needed.has(name) || chunk?.type !== 'chunk') return;
      needed.add(name);
      for (const imported of chunk.imports) add(imported);
    };
    for (const id of modules) {
      const chunk = chunkOf.get(id);
      if (!chunk) throw new Error(`${id} isn't in the bundle.`);
      add(chunk.fileName);
    }
    return [...needed].map((name) => (files.includes(name) ? files.indexOf(name) : files.push(name) - 1));
  };
  const wordsOf = (folders: readonly string[], language: (typeof LANGUAGES)[number]) =>
    neededBy([...folders.map((folder) => join(WEB, `src/${folder}/words/${language}.po`)), ...SHARED_TEXTS[language]]);
  const listed = screens.map(({ path, routes, modules, folders }) => {
    const isFirst = routes === FIRST_ROUTES;
    // The file of `layout` contains a copy of the sign-in page's messages for private screens.
    const first = routes === PRIVATE_ROUTES ? [] : ['features/sign-in/shared'];
    const all = [...first, ...(isFirst ? ['features/sign-in'] : ['layout', ...folders])];
    return {
      path,
      code: neededBy([...(isFirst ? [] : [routes]), ...modules]),
      words: { en: wordsOf(all, 'en'), de: wordsOf(all, 'de') },
      startReads: routes === PRIVATE_ROUTES && !HAS_OTHER_API ? PRIVATE_READS : [],
      reads: HAS_OTHER_API ? [] : (READS[path] ?? []),
    };
  });
  return { files, screens: listed.toSorted((one, other) => rankOf(one.path).localeCompare(rankOf(other.path))) };
}

/** Sorts literal segments before parameters, and these before `*`, so that the first match is the router's. */
const rankOf = (path: string): string =>
  path
    .split('/')
    .map((segment) => (segment === '*' ? '2' : segment.startsWith(':') ? '1' : '0'))
    .join('');
