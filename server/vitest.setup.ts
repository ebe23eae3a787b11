import { reusePortals } from './src/testing/test-portal.ts';

reusePortals();
