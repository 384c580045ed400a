/** A file that the bundler puts in as its bytes. */
declare module "*.gz" {
	const bytes: Uint8Array;
	export default bytes;
}
