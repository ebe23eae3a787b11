import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from './build-client.ts';
import { authenticatorScenes } from './screenshots/authenticator-scenes.ts';
import { dashboardScenes } from './screenshots/dashboard-scenes.ts';
import { deviceScenes } from './screenshots/device-scenes.ts';
import { signInScenes } from './screenshots/sign-in-scenes.ts';
import { staticScenes } from './screenshots/static-scenes.ts';
import { takePictures } from './screenshots/take-pictures.ts';

const scenes = [...signInScenes, ...dashboardScenes, ...deviceScenes, ...authenticatorScenes, ...staticScenes];
const words = process.argv.slice(2);
const chosen = scenes.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const folder = join(import.meta.dirname, '../screenshots');

await buildClient();
if (words.length === 0) rmSync(folder, { recursive: true, force: true });
const { taken, failures } = await takePictures(chosen, folder);
for (const failure of failures) console.error(failure);
console.log(`${taken} pictures in screenshots/`);
process.exitCode = failures.length === 0 ? 0 : 1;
