// Old syntax only: this file must be understood by the versions of Node that it turns away.
'use strict';

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    'This project runs on Node 24, which npm installs with it, but this is Node ' +
      process.versions.node +
      ', because npm was not allowed to run the install script of the package "node": ' +
      'run `npm ci` again with install scripts allowed (without --ignore-scripts), or install Node 24 yourself.',
  );
  process.exit(1);
}
