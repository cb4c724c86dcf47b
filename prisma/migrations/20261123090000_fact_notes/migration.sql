-- Facts that are a sentence of the user, word for word.
ALTER TYPE "FactOrigin" ADD VALUE 'NOTE' AFTER 'EXTRACTIVE';
