/** A file that the bundler includes as bytes. */
declare module "*.gz" {
	const bytes: Uint8Array<ArrayBuffer>;
	export default bytes;
}
