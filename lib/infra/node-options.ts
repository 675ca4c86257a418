/**
 * What every function's Node is started with. A small young generation keeps a function that reads many workspaces in
 * turn at half the memory (npm run bench -- memory), at no cost that the load benchmark could show.
 */
export const nodeOptions = '--max-semi-space-size=4';
