/** The URI of the folder that the server and the editors agree on. */
export const FOLDER = "file:///shop";

/** The files of the folder. */
export const FILES = {
	"cart.py": `from prices import price_of


class Cart:
    def __init__(self):
        self.articles = []

    def total(self):
        return sum(price_of(article) for article in self.articles)
`,
	"prices.py": `PRICES = {"tea": 3, "cake": 5}


def price_of(article):
    """Returns the price of an article, in euros."""
    return PRICES[article]
`,
};
