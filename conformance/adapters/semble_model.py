"""Writes a static model that knows no word, for a search whose order does not count: python semble_model.py FOLDER"""

import sys

import numpy
from model2vec import StaticModel
from tokenizers import Tokenizer, models, pre_tokenizers

UNKNOWN = "[UNK]"

tokenizer = Tokenizer(models.WordLevel({UNKNOWN: 0}, unk_token=UNKNOWN))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
vectors = numpy.ones((1, 4), dtype=numpy.float32)
StaticModel(vectors, tokenizer).save_pretrained(sys.argv[1])
