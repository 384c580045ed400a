/** @typedef {import("./notices.mjs").Part} Part */
/** @typedef {typeof import("@cyclonedx/cyclonedx-library")} Library */

/**
 * Returns the bill of materials of the package in CycloneDX 1.6: each crate and npm package whose
 * code is in it. Equal packages yield equal bytes, so it has no serial number and no time.
 *
 * @see https://cyclonedx.org/docs/1.6/json/
 * @param {string} version the version of the package
 * @param {readonly Part[]} parts
 */
export async function sbom(version, parts) {
	// The set-up installs it after this module has loaded.
	const library = await import("@cyclonedx/cyclonedx-library");
	const { Enums, Models, Serialize, Spec } = library;
	const bom = new Models.Bom();
	const own = new Models.Component(Enums.ComponentType.Library, "ragnav", {
		version,
		bomRef: `ragnav@${version}`,
		purl: `pkg:npm/ragnav@${version}`,
	});
	own.licenses.add(new Models.SpdxLicense("MIT"));
	bom.metadata.component = own;
	for (const part of parts) {
		const component = componentOf(library, part);
		bom.components.add(component);
		own.dependencies.add(component.bomRef);
	}
	const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
	const serializer = new Serialize.JsonSerializer(factory);
	const options = { sortLists: true, space: "\t" };
	return `${serializer.serialize(bom, options)}\n`;
}

/**
 * @param {Library} library
 * @param {Part} part
 */
function componentOf({ Enums, Models }, { name, version, license, ecosystem }) {
	const purl = `pkg:${ecosystem}/${name.replace("@", "%40")}@${version}`;
	const component = new Models.Component(Enums.ComponentType.Library, name, {
		version,
		bomRef: purl,
		purl,
	});
	component.licenses.add(new Models.LicenseExpression(license));
	return component;
}
