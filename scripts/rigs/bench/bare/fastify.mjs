// Fastify with one route: the lower bound for an HTTP server's start time in this project.
import Fastify from 'fastify';

const app = Fastify();
app.get('/health', () => ({ resultCode: 0 }));
const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ url }));
