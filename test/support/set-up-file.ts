import { workerTable } from './worker-table.ts';

process.env['TABLE_NAME'] = workerTable(process.env['JEST_WORKER_ID'] ?? 1);
