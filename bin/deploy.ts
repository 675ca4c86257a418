import { deploy, usage } from '#lib/infra/deploy.ts';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(usage);
  process.exit(0);
}
process.exitCode = await deploy(args, console.error).catch(({ message }: Error) => {
  console.error(message);
  return 1;
});
