import ts from 'typescript';import fs from 'node:fs';import {execSync} from 'node:child_process';
const files=execSync("git ls-files 'src/*.ts' 'src/**/*.ts'",{encoding:'utf8'}).split('\n').filter(f=>f&&!f.includes('generated')&&fs.existsSync(f));
for(const f of new Set(files)){let t=fs.readFileSync(f,'utf8');if(!/(source|pattern\([^)]*\))`\n/.test(t))continue;
 // reindent
 const lines=t.split('\n');for(let i=0;i<lines.length;i++){if(/(?:\bsource|\bpattern\([^)]*\))`$/.test(lines[i])){const ind=/^ */.exec(lines[i])[0].length;let j=i+1;while(!/^ *`/.test(lines[j])){lines[j]=' '.repeat(ind+2)+lines[j].trimStart();j++;}lines[j]=' '.repeat(ind)+lines[j].trimStart();}}
 t=lines.join('\n');fs.writeFileSync(f,t);
 const sf=ts.createSourceFile(f,t,ts.ScriptTarget.Latest,true);
 const visit=(n,fn)=>{const inFn=fn||ts.isFunctionLike(n);if(ts.isTaggedTemplateExpression(n)&&/^(source|pattern)/.test(n.tag.getText())&&fn)console.log(`${f}:${sf.getLineAndCharacterOfPosition(n.getStart()).line+1}: ${t.split('\n')[sf.getLineAndCharacterOfPosition(n.getStart()).line].trim()}  ${n.template.getText().slice(1,70).replace(/\s+/g,' ')}`);ts.forEachChild(n,c=>visit(c,inFn));};visit(sf,false);}
